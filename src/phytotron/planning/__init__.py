"""Plans made with the model: the best that hindsight allows, and control that plans ahead as it goes."""
