/* One projection through C: doors.py makes the case and compares the bytes.
 *
 *   doors FOLDER [MODEL]
 *
 * FOLDER has case.toml, the grid and its constraints; NAME.bin, doubles in C order, and NAME.shape, their
 * rank and extents, of mean, std, samples and of every array in `arrays`. Writes mean.out, std.out and
 * samples.out. With a MODEL the fields are its prediction of `inputs`, the law is its own, and band.out and
 * score.out are written, too. */
#include <inttypes.h>
#include <nouq/nouq.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* folder;

static void fail(const char* what) {
  fprintf(stderr, "%s: %s\n", what, nouq_last_error());
  exit(1);
}

static FILE* open_file(const char* name, const char* ending, const char* mode) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s%s", folder, name, ending);
  FILE* file = fopen(path, mode);
  if (file == NULL) fail(path);
  return file;
}

static size_t size_of(const nouq_array* array) {
  size_t size = 1;
  for (int i = 0; i < array->rank; ++i) size *= (size_t)array->extent[i];
  return size;
}

static nouq_array read_array(const char* name) {
  FILE* shape = open_file(name, ".shape", "r");
  int32_t rank = 0;
  int64_t extents[NOUQ_MAX_RANK] = {0};
  if (fscanf(shape, "%" SCNd32, &rank) != 1) fail(name);
  for (int i = 0; i < rank; ++i) {
    if (fscanf(shape, "%" SCNd64, &extents[i]) != 1) fail(name);
  }
  fclose(shape);
  nouq_array array = nouq_row_major(NULL, NOUQ_FLOAT64, rank, extents);
  const size_t size = size_of(&array);
  array.data = malloc(size * sizeof(double));
  FILE* values = open_file(name, ".bin", "rb");
  if (fread(array.data, sizeof(double), size, values) != size) fail(name);
  fclose(values);
  return array;
}

static void write_array(const char* name, const nouq_array* array) {
  FILE* file = open_file(name, ".out", "wb");
  fwrite(array->data, sizeof(double), size_of(array), file);
  fclose(file);
}

static nouq_arrays named_arrays(void) {
  nouq_arrays arrays = 0;
  if (nouq_new_arrays(&arrays) != NOUQ_OK) fail("arrays");
  FILE* list = open_file("arrays", "", "r");
  char name[64];
  while (fscanf(list, "%63s", name) == 1) {
    nouq_array array = read_array(name);
    if (nouq_set_array(arrays, name, &array) != NOUQ_OK) fail(name);
    free(array.data);
  }
  fclose(list);
  return arrays;
}

/* The model's own law, and its prediction in place of the fields. */
static nouq_constraints ask(const char* path, nouq_arrays values, const nouq_fields* fields) {
  nouq_model model = 0;
  nouq_constraints law = 0;
  if (nouq_load(path, &model) != NOUQ_OK) fail(path);
  if (nouq_law_of(model, values, &law) != NOUQ_OK) fail("law");
  nouq_array inputs = read_array("inputs"), band = read_array("mean"), score = read_array("score");
  if (nouq_predict_band(model, &inputs, fields->mean, fields->deviation, fields->samples, &band, score.data,
                        NULL) != NOUQ_OK)
    fail("predict");
  write_array("band", &band);
  write_array("score", &score);
  if (nouq_free(model) != NOUQ_OK) fail("free");
  return law;
}

int main(int count, char** words) {
  if (count != 2 && count != 3) return 2;
  folder = words[1];
  char text[4096] = "";
  FILE* file = open_file("case", ".toml", "r");
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  nouq_arrays arrays = named_arrays();
  nouq_constraints law = 0;
  nouq_array mean = read_array("mean"), deviation = read_array("std"), samples = read_array("samples");
  const nouq_fields fields = {&mean, &deviation, &samples};
  if (count == 3) {
    law = ask(words[2], arrays, &fields);
  } else if (nouq_constraints_from_toml(0, text, arrays, 0, &law) != NOUQ_OK) {
    fail("constraints");
  }
  if (nouq_project_as(law, &fields, &fields, count == 3 ? "bounded" : NULL, NULL, NULL) != NOUQ_OK)
    fail("project");
  write_array("mean", &mean);
  write_array("std", &deviation);
  write_array("samples", &samples);
  if (nouq_free_arrays(arrays) != NOUQ_OK || nouq_free_constraints(law) != NOUQ_OK) fail("free");
  return 0;
}
