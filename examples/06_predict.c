/* The same question from C.
 *
 * Sample run:  ./06_predict heat.nouq 2.5 */
#include <stdio.h>
#include <stdlib.h>

#include <nouq/nouq.h>

static int complain(void) {
  fprintf(stderr, "%s\n", nouq_last_error());
  return 1;
}

int main(int count, char** arguments) {
  if (count != 3) {
    fprintf(stderr, "usage: 06_predict MODEL K\n");
    return 2;
  }
  nouq_model model;
  nouq_info info;
  if (nouq_load(arguments[1], &model) || nouq_describe(model, &info)) return complain();
  const double k = atof(arguments[2]);

  /* One number serves as a whole field: its strides are zero. */
  nouq_array input = {(void*)&k, NOUQ_FLOAT64, 2, {info.extent[0], info.extent[1]}, {0, 0}};
  const size_t size = (size_t)(info.extent[0] * info.extent[1]);
  double* mean = malloc(size * sizeof(double));
  double* deviation = malloc(size * sizeof(double));
  const nouq_array m = nouq_row_major(mean, NOUQ_FLOAT64, 2, info.extent);
  const nouq_array d = nouq_row_major(deviation, NOUQ_FLOAT64, 2, info.extent);
  double score = 0;
  if (nouq_predict(model, &input, &m, &d, NULL, info.has_trust ? &score : NULL, NULL)) return complain();

  const size_t at = 25 * (size_t)info.extent[1];
  printf("k = %g: at the first time %.4f +- %.4f, at the last %.4f +- %.4f; trust score %.2f\n", k, mean[at],
         2 * deviation[at], mean[at + (size_t)info.extent[1] - 1], 2 * deviation[at + (size_t)info.extent[1] - 1],
         score);
  free(mean);
  free(deviation);
  return nouq_free(model) ? complain() : 0;
}
