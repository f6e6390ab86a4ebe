/* Training from C: the model is the tool's, and what is wrong is a status and a message.
 *   train FOLDER */
#include <nouq/nouq.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { samples = 24, nx = 16, nt = 8 };
static float inputs[samples * nx * nt], outputs[samples * nx * nt];

static int failures = 0;
static void expect(int condition, const char* what) {
  if (condition) return;
  printf("failed: %s (%s)\n", what, nouq_last_error());
  ++failures;
}

static int32_t count_epochs(const nouq_epoch* e, void* user) {
  ++*(int*)user;
  return e->train_loss > 0 ? 0 : 1;
}
static int32_t stop_at_once(const nouq_epoch* e, void* user) {
  (void)e;
  ++*(int*)user;
  return 1;
}

int main(int count, char** arguments) {
  if (count != 2) return 2;
  double x[nx], t[nt];
  for (int i = 0; i < nx; ++i) x[i] = i / (nx - 1.0);
  for (int j = 0; j < nt; ++j) t[j] = j / (nt - 1.0);
  for (int i = 0; i < samples * nx * nt; ++i) {
    inputs[i] = 1.0f + (float)(i / (nx * nt)) / samples;
    outputs[i] = inputs[i] * (float)(1 + i % nt);
  }
  const nouq_axis grid[] = {{"x", 0, x, nx, 0}, {"t", "s", t, nt, 0}};
  const int64_t extents[] = {samples, nx, nt, 1};
  const nouq_array in = nouq_row_major(inputs, NOUQ_FLOAT32, 4, extents);
  const nouq_array out = nouq_row_major(outputs, NOUQ_FLOAT32, 4, extents);

  nouq_data data = 0;
  expect(nouq_data_from_arrays(2, grid, &in, &out, &data) == NOUQ_OK && data != 0, "data from arrays");
  char path[4096];
  snprintf(path, sizeof path, "%s/from_c.npz", arguments[1]);
  nouq_data again = 0;
  int64_t many = 0;
  expect(nouq_data_write(data, path) == NOUQ_OK && nouq_data_read(path, &again) == NOUQ_OK &&
             nouq_data_samples(again, &many) == NOUQ_OK && many == samples,
         "data written and read");

  /* A law: the values of every sample, or none. */
  static double values[samples * nt];
  const int64_t all[] = {samples, nt}, few[] = {2, nt};
  const nouq_array mass = nouq_row_major(values, NOUQ_FLOAT64, 2, all);
  const nouq_array too_few = nouq_row_major(values, NOUQ_FLOAT64, 2, few);
  expect(nouq_data_set_values(data, "mass", &mass) == NOUQ_OK, "values of a law");
  expect(nouq_data_set_values(data, "mass", &too_few) == NOUQ_BAD_REQUEST, "values of too few samples");

  const char* settings =
      "method = 'ensemble'\ncount = 2\nepochs = 3\nbatch = 7\nwidth = 4\nmodes = [3]\ncross_folds = 0\n";
  int epochs = 0;
  nouq_model model = 0;
  expect(nouq_train(again, settings, count_epochs, &epochs, &model) == NOUQ_OK, "training");
  expect(epochs == 6, "every epoch of both networks is told");
  nouq_info info;
  expect(nouq_describe(model, &info) == NOUQ_OK && info.members == 2, "members");
  snprintf(path, sizeof path, "%s/from_c.nouq", arguments[1]);
  expect(nouq_save(model, path) == NOUQ_OK, "saving");
  nouq_model loaded = 0;
  expect(nouq_load(path, &loaded) == NOUQ_OK, "loading what was saved");

  /* The same from memory and from the file: not one bit differs. */
  double first[nx * nt], second[nx * nt];
  const int64_t one[] = {nx, nt};
  const nouq_array question = nouq_row_major(inputs, NOUQ_FLOAT32, 2, one);
  const nouq_array a = nouq_row_major(first, NOUQ_FLOAT64, 2, one), b = nouq_row_major(second, NOUQ_FLOAT64, 2, one);
  expect(nouq_predict(model, &question, &a, 0, 0, 0, 0) == NOUQ_OK &&
             nouq_predict(loaded, &question, &b, 0, 0, 0, 0) == NOUQ_OK &&
             memcmp(first, second, sizeof first) == 0,
         "the same answer from the file");

  /* What is wrong. */
  nouq_model none = 7;
  int told = 0;
  expect(nouq_train(data, settings, stop_at_once, &told, &none) == NOUQ_CANCELLED && none == 0 && told > 0,
         "a function that stops the training");
  expect(nouq_train(data, "epocs = 3", 0, 0, &none) == NOUQ_BAD_REQUEST && none == 0 &&
             strcmp(nouq_last_error(), "settings:1: unknown key 'epocs' in [train]; did you mean 'epochs'?") == 0,
         "an unknown setting");
  expect(nouq_train(data, "epochs = 'x", 0, 0, &none) == NOUQ_BAD_REQUEST, "no TOML");
  expect(nouq_train(model, 0, 0, 0, &none) == NOUQ_BAD_HANDLE, "a model instead of data");
  expect(nouq_train(data, 0, 0, 0, 0) == NOUQ_BAD_REQUEST, "no place for the model");
  nouq_data nothing = 7;
  expect(nouq_data_from_arrays(4, grid, &in, &out, &nothing) == NOUQ_BAD_REQUEST && nothing == 0, "too many axes");
  expect(nouq_data_from_arrays(2, 0, &in, &out, &nothing) == NOUQ_BAD_REQUEST, "no grid");
  expect(nouq_data_read("no-such-file.npz", &nothing) == NOUQ_BAD_REQUEST, "no such file");
  expect(nouq_data_free(data) == NOUQ_OK && nouq_data_free(data) == NOUQ_BAD_HANDLE, "freed twice");
  expect(nouq_data_free(again) == NOUQ_OK && nouq_free(model) == NOUQ_OK && nouq_free(loaded) == NOUQ_OK, "freed");
  printf("%d failures\n", failures);
  return failures > 0;
}
