/* Fortran's array descriptors become nouq's: the companion of nouq.f90, to be compiled with it.
 *
 * Why C: a descriptor knows address, type, extents and strides of any array or section, of any rank; only C
 * can read one. An array that is no real number is passed on as type 0, which the library refuses by name. */
#include <ISO_Fortran_binding.h>
#include <nouq/nouq.h>
#include <stddef.h>

/* Null for an absent argument, else `array` filled in. */
static const nouq_array* view(const CFI_cdesc_t* descriptor, nouq_array* array) {
  if (descriptor == NULL) return NULL;
  array->data = descriptor->base_addr;
  array->type = descriptor->type == CFI_type_float    ? NOUQ_FLOAT32
                : descriptor->type == CFI_type_double ? NOUQ_FLOAT64
                                                      : 0;
  array->rank = descriptor->rank;
  for (int i = 0; i < descriptor->rank && i < NOUQ_MAX_RANK; ++i) {
    array->extent[i] = descriptor->dim[i].extent;
    array->stride[i] = descriptor->dim[i].sm / (ptrdiff_t)descriptor->elem_len;
  }
  return array;
}

nouq_status nouqf_predict(nouq_model model, const CFI_cdesc_t* inputs, const CFI_cdesc_t* mean,
                          const CFI_cdesc_t* deviation, const CFI_cdesc_t* samples, double* score,
                          int32_t* verdict) {
  nouq_array a, b, c, d;
  return nouq_predict(model, view(inputs, &a), view(mean, &b), view(deviation, &c), view(samples, &d), score,
                      verdict);
}

nouq_status nouqf_predict_band(nouq_model model, const CFI_cdesc_t* inputs, const CFI_cdesc_t* mean,
                               const CFI_cdesc_t* deviation, const CFI_cdesc_t* samples,
                               const CFI_cdesc_t* band, double* score, int32_t* verdict) {
  nouq_array a, b, c, d, e;
  return nouq_predict_band(model, view(inputs, &a), view(mean, &b), view(deviation, &c), view(samples, &d),
                           view(band, &e), score, verdict);
}

nouq_status nouqf_gradient(nouq_model model, const CFI_cdesc_t* inputs, const CFI_cdesc_t* sensitivity, const CFI_cdesc_t* gradient) {
  nouq_array a, b, c;
  return nouq_gradient(model, view(inputs, &a), view(sensitivity, &b), view(gradient, &c));
}

nouq_status nouqf_derivative(nouq_model model, const CFI_cdesc_t* inputs, const CFI_cdesc_t* direction, const CFI_cdesc_t* derivative) {
  nouq_array a, b, c;
  return nouq_derivative(model, view(inputs, &a), view(direction, &b), view(derivative, &c));
}

nouq_status nouqf_parameter_gradient(nouq_model model, const CFI_cdesc_t* values, const CFI_cdesc_t* sensitivity, const CFI_cdesc_t* gradient) {
  nouq_array a, b, c;
  return nouq_parameter_gradient(model, view(values, &a), view(sensitivity, &b), view(gradient, &c));
}

nouq_status nouqf_parameter_derivative(nouq_model model, const CFI_cdesc_t* values, const CFI_cdesc_t* direction, const CFI_cdesc_t* derivative) {
  nouq_array a, b, c;
  return nouq_parameter_derivative(model, view(values, &a), view(direction, &b), view(derivative, &c));
}

nouq_status nouqf_predict_trust(nouq_model model, const CFI_cdesc_t* inputs, nouq_arrays known,
                                const CFI_cdesc_t* mean, const CFI_cdesc_t* deviation,
                                const CFI_cdesc_t* samples, double* score, int32_t* verdict,
                                double* witnesses, char* reasons, const int64_t* reasons_size) {
  nouq_array a, b, c, d;
  const nouq_trust trust = {score, verdict, witnesses, reasons, reasons_size == NULL ? 0 : *reasons_size};
  return nouq_predict_trust(model, view(inputs, &a), known, view(mean, &b), view(deviation, &c),
                            view(samples, &d), &trust);
}

nouq_status nouqf_set_array(nouq_arrays arrays, const char* name, const CFI_cdesc_t* values) {
  nouq_array a;
  return nouq_set_array(arrays, name, view(values, &a));
}

nouq_status nouqf_integral(nouq_model model, const char* axis, const char* rule, int64_t channel,
                           double noise_variance, const CFI_cdesc_t* values, nouq_constraints* constraints) {
  nouq_array a;
  return nouq_integral(model, axis, rule, channel, noise_variance, view(values, &a), constraints);
}

nouq_status nouqf_project(nouq_constraints constraints, const CFI_cdesc_t* mean, const CFI_cdesc_t* deviation,
                          const CFI_cdesc_t* samples, const double* diagonal_share) {
  nouq_array a, b, c;
  const nouq_fields fields = {view(mean, &a), view(deviation, &b), view(samples, &c)};
  return nouq_project(constraints, &fields, &fields, diagonal_share == NULL ? 1.0 : *diagonal_share, NULL);
}

nouq_status nouqf_project_within(nouq_constraints constraints, const CFI_cdesc_t* mean,
                                 const CFI_cdesc_t* deviation, double lower, double upper,
                                 const CFI_cdesc_t* samples) {
  nouq_array a, b, c;
  const nouq_fields fields = {view(mean, &a), view(deviation, &b), view(samples, &c)};
  return nouq_project_within(constraints, &fields, &fields, lower, upper);
}

nouq_status nouqf_project_as(nouq_constraints constraints, const CFI_cdesc_t* mean,
                             const CFI_cdesc_t* deviation, const char* preset, const CFI_cdesc_t* samples,
                             const CFI_cdesc_t* lower, const CFI_cdesc_t* upper) {
  nouq_array a, b, c, d, e;
  const nouq_fields fields = {view(mean, &a), view(deviation, &b), view(samples, &c)};
  return nouq_project_as(constraints, &fields, &fields, *preset == '\0' ? NULL : preset, view(lower, &d),
                         view(upper, &e));
}

nouq_status nouqf_metric(const char* name, const CFI_cdesc_t* mean, const CFI_cdesc_t* deviation,
                         const CFI_cdesc_t* truth, double* value) {
  nouq_array a, b, c;
  return nouq_metric(name, view(mean, &a), view(deviation, &b), view(truth, &c), NULL, NULL, value, NULL);
}

nouq_status nouqf_data_from_arrays(int32_t axes, const nouq_axis* grid, const CFI_cdesc_t* inputs,
                                   const CFI_cdesc_t* outputs, nouq_data* data) {
  nouq_array a, b;
  return nouq_data_from_arrays(axes, grid, view(inputs, &a), view(outputs, &b), data);
}

nouq_status nouqf_data_set_values(nouq_data data, const char* name, const CFI_cdesc_t* values) {
  nouq_array a;
  return nouq_data_set_values(data, name, view(values, &a));
}
