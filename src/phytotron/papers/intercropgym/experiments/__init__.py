"""The experiments of InterCropGym's paper."""
