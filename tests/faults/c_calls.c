/* One of every kind of call of nouq.h, on what is in the folder. A call that fails is one line and exit code 1;
 * nothing is allocated here, so that every allocation that fails is the library's. */
#include <nouq/nouq.h>
#include <stdio.h>

enum { samples = 12, nx = 8, nt = 4, size = samples * nx * nt };
static float inputs[size], outputs[size];
static double mean[size], deviation[size], projected[size], spread[size], mass[samples * nt];
static double score[samples], coordinates[nx], variances[samples * nt];
static char line[4096];

static int end_with(nouq_status status) {
  /* Out of memory even for the message: there is none, but the status tells. */
  const char* message = status == NOUQ_OUT_OF_MEMORY ? "out of memory" : nouq_last_error();
  snprintf(line, sizeof line, "nouq: %s\n", message);
  fputs(line, stderr);
  return 1;
}

#define CALL(call)                                  \
  do {                                              \
    const nouq_status status = (call);              \
    if (status != NOUQ_OK) return end_with(status); \
  } while (0)

/* Names that are wrong, and too long to be kept without memory: refused or passed over. */
#define CALL_ODD(call)                                       \
  do {                                                       \
    const nouq_status status = (call);                       \
    if (status == NOUQ_OUT_OF_MEMORY) return end_with(status); \
  } while (0)

static int32_t go_on(const nouq_epoch* epoch, void* user) { return epoch == NULL && user == NULL; }

static int ask(nouq_model model, const nouq_array* in) {
  const int64_t extents[] = {samples, nx, nt, 1};
  const nouq_array m = nouq_row_major(mean, NOUQ_FLOAT64, 4, extents);
  const nouq_array d = nouq_row_major(deviation, NOUQ_FLOAT64, 4, extents);
  const nouq_array g = nouq_column_major(spread, NOUQ_FLOAT64, 4, extents);
  nouq_info info;
  nouq_trust trust = {0};
  static char reasons[1 << 14];
  trust.score = score;
  trust.reasons = reasons;
  trust.reasons_size = sizeof reasons;
  CALL(nouq_describe(model, &info));
  CALL(nouq_coordinates(model, 0, coordinates, nx));
  CALL(nouq_predict(model, in, &m, &d, NULL, score, NULL));
  CALL(nouq_predict_trust(model, in, 0, &m, &d, NULL, &trust));
  CALL(nouq_gradient(model, in, &m, &g));
  CALL(nouq_derivative(model, in, in, &g));
  return 0;
}

static int project(nouq_model model, nouq_arrays values) {
  const int64_t extents[] = {samples, nx, nt, 1}, times[] = {samples, nt};
  const nouq_array m = nouq_row_major(mean, NOUQ_FLOAT64, 4, extents);
  const nouq_array d = nouq_row_major(deviation, NOUQ_FLOAT64, 4, extents);
  const nouq_array p = nouq_row_major(projected, NOUQ_FLOAT64, 4, extents);
  const nouq_array s = nouq_row_major(spread, NOUQ_FLOAT64, 4, extents);
  const nouq_array v = nouq_row_major(mass, NOUQ_FLOAT64, 2, times);
  const nouq_fields from = {&m, &d, NULL}, to = {&p, &s, NULL};
  nouq_constraints integral = 0, law = 0, table = 0;
  double value = 0;
  int64_t rows = 0;
  CALL(nouq_set_array(values, "mass", &v));
  CALL(nouq_integral(model, "x", NULL, 0, 0, &v, &integral));
  CALL(nouq_law_of(model, values, &law));
  CALL(nouq_constraints_from_toml(model, "[[constraint]]\nkind = 'integral'\naxis = 'x'\nvalue = 'mass'\n", values, 0,
                                  &table));
  CALL(nouq_constraint_rows(integral, &rows));
  CALL(nouq_noise_variances(integral, variances, rows));
  CALL(nouq_project(integral, &from, &to, 1, "t"));
  CALL_ODD(nouq_project(integral, &from, &to, 1, "an axis whose name is too long to be kept in place"));
  CALL_ODD(nouq_project_as(table, &from, &to, "a preset whose name is too long to be kept", NULL, NULL));
  CALL(nouq_project_within(law, &from, &to, 0, 2));
  CALL(nouq_project_as(table, &from, &to, "bounded", NULL, NULL));
  CALL(nouq_metric("mse", &m, &d, &p, NULL, NULL, &value, score));
  CALL(nouq_free_constraints(integral));
  CALL(nouq_free_constraints(law));
  CALL(nouq_free_constraints(table));
  return 0;
}

static int train(void) {
  const int64_t extents[] = {samples, nx, nt, 1};
  const double x[nx] = {0, 1, 2, 3, 4, 5, 6, 7}, t[nt] = {0, 1, 2, 3};
  const nouq_axis grid[] = {{"x", "m", x, nx, 0}, {"t", "s", t, nt, 0}};
  const nouq_array in = nouq_row_major(inputs, NOUQ_FLOAT32, 4, extents);
  const nouq_array out = nouq_row_major(outputs, NOUQ_FLOAT32, 4, extents);
  const char* settings = "width = 2\nmodes = [2, 2]\ncount = 2\nblocks = 1\nepochs = 1\nbatch = 4\nthreads = 1\n";
  nouq_data data = 0;
  nouq_model model = 0;
  int user = 0;
  CALL(nouq_data_from_arrays(2, grid, &in, &out, &data));
  CALL(nouq_data_write(data, "out.npz"));
  CALL(nouq_train(data, settings, go_on, &user, &model));
  CALL(nouq_save(model, "out.nouq"));
  CALL(nouq_data_free(data));
  CALL(nouq_free(model));
  return 0;
}

int main(void) {
  const int64_t extents[] = {samples, nx, nt, 1};
  const nouq_array in = nouq_row_major(inputs, NOUQ_FLOAT32, 4, extents);
  nouq_model model = 0;
  nouq_arrays values = 0;
  nouq_data data = 0;
  int64_t many = 0;
  for (int i = 0; i < size; ++i) {
    inputs[i] = (float)(1 + i / (nx * nt)) / samples;
    outputs[i] = inputs[i] * (float)(1 + i % nt);
  }
  for (int i = 0; i < samples * nt; ++i) mass[i] = 0.25;
  CALL(nouq_load("m.nouq", &model));
  if (ask(model, &in) != 0) return 1;
  CALL(nouq_new_arrays(&values));
  if (project(model, values) != 0) return 1;
  CALL(nouq_free_arrays(values));
  CALL(nouq_data_read("d.npz", &data));
  CALL(nouq_data_samples(data, &many));
  CALL(nouq_data_free(data));
  CALL(nouq_free(model));
  return train();
}
