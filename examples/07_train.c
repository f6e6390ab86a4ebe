/* Trains from C on fields of its own, with a function that watches and may stop.
 *
 * Sample run:  ./07_train heat-from-c.nouq
 *   epoch 20 of 20: validation loss 0.044
 *   ...
 *   epoch 3 of 3: validation loss 0.97     (short trainings that calibrate, since few samples are held out)
 *   ...
 *   wrote heat-from-c.nouq: a model with 4 members
 *
 * 1. a data set from arrays
 * 2. settings as lines of TOML, as in the tool's configuration files
 * 3. train and save */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <nouq/nouq.h>

enum { samples = 40, nx = 32, nt = 8 };
static double inputs[samples * nx * nt], outputs[samples * nx * nt], x[nx], t[nt];

static int complain(void) {
  fprintf(stderr, "%s\n", nouq_last_error());
  return 1;
}

/* Told of every epoch; anything but 0 stops the training. */
static int32_t watch(const nouq_epoch* e, void* user) {
  double* best = user;
  if (e->validation_loss < *best) *best = e->validation_loss;
  if (e->epoch + 1 == e->epochs)
    printf("epoch %lld of %lld: validation loss %.2g\n", (long long)e->epoch + 1, (long long)e->epochs,
           e->validation_loss);
  return 0;
}

int main(int count, char** arguments) {
  if (count != 2) {
    fprintf(stderr, "usage: 07_train MODEL\n");
    return 2;
  }
  /* 1. u_t = k u_xx with u(x, 0) = sin x, for k from 1 to 5. */
  for (int i = 0; i < nx; ++i) x[i] = 2 * 3.14159265358979 * i / (nx - 1);
  for (int j = 0; j < nt; ++j) t[j] = (double)j / (nt - 1);
  for (int s = 0; s < samples; ++s) {
    const double k = 1 + 4.0 * s / (samples - 1);
    for (int i = 0; i < nx; ++i)
      for (int j = 0; j < nt; ++j) {
        inputs[(s * nx + i) * nt + j] = k;
        outputs[(s * nx + i) * nt + j] = exp(-k * t[j]) * sin(x[i]);
      }
  }
  const nouq_axis grid[] = {{"x", "m", x, nx, 0}, {"t", "s", t, nt, 0}};
  const int64_t extents[] = {samples, nx, nt, 1};
  const nouq_array in = nouq_row_major(inputs, NOUQ_FLOAT64, 4, extents);
  const nouq_array out = nouq_row_major(outputs, NOUQ_FLOAT64, 4, extents);
  nouq_data data;
  if (nouq_data_from_arrays(2, grid, &in, &out, &data)) return complain();

  /* 2. and 3. */
  const char* settings =
      "method = 'ensemble'\ncount = 4\nepochs = 20\nbatch = 8\nrate = 5e-3\nwidth = 8\nmodes = [6]\n";
  double best = HUGE_VAL;
  nouq_model model;
  if (nouq_train(data, settings, watch, &best, &model) || nouq_save(model, arguments[1])) return complain();
  nouq_info info;
  if (nouq_describe(model, &info)) return complain();
  printf("wrote %s: a model with %lld members\n", arguments[1], (long long)info.members);
  return nouq_data_free(data) || nouq_free(model) ? complain() : best > 0 && best < 0.5 ? 0 : 1;
}
