/* The golden networks through the C interface: the same bits as C++, in C's and in Fortran's order.
 *
 *   golden FOLDER NAME MEMBERS    with the files of nouq_make_models */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <nouq/nouq.h>

enum { SAMPLES = 3, NX = 100, NT = 20, SIZE = SAMPLES * NX * NT };

static void* read_numbers(const char* folder, const char* name, const char* what, size_t bytes) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.%s", folder, name, what);
  FILE* file = fopen(path, "rb");
  void* numbers = malloc(bytes);
  if (file == NULL || numbers == NULL || fread(numbers, 1, bytes, file) != bytes) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(1);
  }
  fclose(file);
  return numbers;
}

static void expect(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "%s; last error: %s\n", what, nouq_last_error());
  exit(1);
}

static double mean[SIZE], deviation[SIZE], turned[SIZE];

/* [sample][x][t] to Fortran's order. */
static void turn(const double* from, double* to) {
  for (int s = 0; s < SAMPLES; ++s)
    for (int x = 0; x < NX; ++x)
      for (int t = 0; t < NT; ++t) to[s + SAMPLES * (x + NX * t)] = from[(s * NX + x) * NT + t];
}

int main(int count, char** arguments) {
  expect(count == 4, "usage: golden FOLDER NAME MEMBERS");
  const char *folder = arguments[1], *name = arguments[2];
  const int64_t members = atoi(arguments[3]);
  const float* inputs = read_numbers(folder, name, "inputs", SIZE * sizeof(float));
  const double* expected_mean = read_numbers(folder, name, "mean", SIZE * sizeof(double));
  const double* expected_deviation = read_numbers(folder, name, "deviation", SIZE * sizeof(double));

  char path[4096];
  snprintf(path, sizeof path, "%s/%s.nouq", folder, name);
  nouq_model model;
  expect(nouq_load(path, &model) == NOUQ_OK, "load");
  nouq_info info;
  expect(nouq_describe(model, &info) == NOUQ_OK, "describe");
  expect(info.axes == 2 && info.extent[0] == NX && info.extent[1] == NT && info.members == members, "info");

  const int64_t extents[] = {SAMPLES, NX, NT, 1};
  const nouq_array x = nouq_row_major(inputs, NOUQ_FLOAT32, 4, extents);
  nouq_array m = nouq_row_major(mean, NOUQ_FLOAT64, 4, extents);
  const nouq_array d = nouq_row_major(deviation, NOUQ_FLOAT64, 4, extents);
  const size_t sample_bytes = (size_t)members * SIZE * sizeof(double);
  const int64_t sample_extents[] = {SAMPLES, members, NX, NT, 1};
  double* samples = malloc(sample_bytes + 1);
  const nouq_array s = nouq_row_major(samples, NOUQ_FLOAT64, 5, sample_extents);
  expect(nouq_predict(model, &x, &m, &d, members > 0 ? &s : NULL, NULL, NULL) == NOUQ_OK, "predict");
  expect(memcmp(mean, expected_mean, sizeof mean) == 0, "the mean has other bits than in C++");
  expect(memcmp(deviation, expected_deviation, sizeof deviation) == 0, "the deviation has other bits");
  const double* expected_samples = read_numbers(folder, name, "samples", sample_bytes);
  expect(memcmp(samples, expected_samples, sample_bytes) == 0, "the samples have other bits than in C++");

  m = nouq_column_major(mean, NOUQ_FLOAT64, 4, extents);
  expect(nouq_predict(model, &x, &m, NULL, NULL, NULL, NULL) == NOUQ_OK, "predict in Fortran's order");
  turn(expected_mean, turned);
  expect(memcmp(mean, turned, sizeof mean) == 0, "Fortran's order has other bits");
  expect(nouq_free(model) == NOUQ_OK && nouq_free(model) == NOUQ_BAD_HANDLE, "free");
  printf("%s: the same bits as C++\n", name);
  return 0;
}
