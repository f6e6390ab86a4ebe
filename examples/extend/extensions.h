// What this project adds to nouq; each function makes one thing known by name, and is called once, before
// use.
#pragma once

void add_burgers();       // a problem: the viscous Burgers equation
void add_first_moment();  // a kind of constraint: the first moment of the field
void add_axial();         // an architecture: a spectral layer per axis
void add_front_error();   // a metric: how far the front is from where it should be
