"""The experiments of CropGym's paper."""
