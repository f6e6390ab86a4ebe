// Moments of a normal distribution cut off at bounds.
#pragma once

namespace nouq {

// E (X - c)^2 for X normal with this mean and variance, given lower <= X <= upper, where c is the mean moved
// into the bounds: what is left of the variance, and a sign of how far outside the mean was. Bounds may be
// infinite; relative error below 1e-6.
double truncated_deviation(double mean, double variance, double lower, double upper);

}  // namespace nouq
