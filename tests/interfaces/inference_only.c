/* The library that only uses models refuses to train, by name, and nothing is thrown or printed. */
#include <nouq/nouq.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  double x[] = {0, 1}, fields[] = {1, 2, 3, 4};
  const nouq_axis grid[] = {{"x", 0, x, 2, 0}};
  const int64_t extents[] = {2, 2, 1};
  const nouq_array array = nouq_row_major(fields, NOUQ_FLOAT64, 3, extents);
  nouq_data data = 0;
  nouq_model model = 7;
  if (nouq_data_from_arrays(1, grid, &array, &array, &data) != NOUQ_OK) return 1;
  if (nouq_train(data, 0, 0, 0, &model) != NOUQ_BAD_REQUEST || model != 0) return 2;
  puts(nouq_last_error());
  if (strcmp(nouq_last_error(), "training: this nouq was built to use models only (NOUQ_INFERENCE_ONLY); build it "
                                "without that option") != 0)
    return 3;
  if (nouq_data_read("x.npz", &data) != NOUQ_BAD_REQUEST || data != 0) return 4;
  return strncmp(nouq_last_error(), "reading data: ", 14) == 0 ? 0 : 5;
}
