!> nouq from Fortran: train a surrogate, ask it for a mean, a standard deviation and whether to trust them.
!>
!> Why: a solver's arrays are passed as they are, whole or as sections, single or double precision, in
!> Fortran's order; nothing is copied by the caller. When: compile this file and nouq_fortran.c with your
!> program and link with -lnouq:
!>
!>   integer(nouq_handle) :: model
!>   if (nouq_load("pme.nouq", model) /= nouq_ok) print *, nouq_last_error()
!>   status = nouq_predict(model, k, mean=u, deviation=s, score=score)   ! real :: k(nx, nt), u(nx, nt), ...
!>
!> Contract: as nouq.h says; extents are [samples, axes..., channels], or [axes...] for one sample of one
!> channel. Every function returns nouq_ok or what went wrong. Handles are numbers; 0 is none.
module nouq
  use, intrinsic :: iso_c_binding
  implicit none
  private

  integer, parameter, public :: nouq_handle = c_int64_t
  integer(c_int), parameter, public :: nouq_ok = 0, nouq_bad_request = 1, nouq_bad_handle = 2
  integer(c_int), parameter, public :: nouq_failure = 3, nouq_out_of_memory = 4, nouq_cancelled = 5
  integer(c_int32_t), parameter, public :: nouq_in_domain = 0, nouq_doubtful = 1, nouq_out_of_domain = 2

  type, bind(C), public :: nouq_info
    integer(c_int32_t) :: axes
    integer(c_int64_t) :: extent(3)
    integer(c_int32_t) :: input_channels
    integer(c_int32_t) :: output_channels
    integer(c_int64_t) :: members
    integer(c_int32_t) :: has_trust
  end type

  !> What the values along an axis are: at points, of cells, of a field that continues where it began.
  integer(c_int32_t), parameter, public :: nouq_points = 0, nouq_cells = 1, nouq_periodic = 2

  !> One axis of a grid, for nouq_data_from_arrays.
  type, public :: nouq_axis
    character(:), allocatable :: name
    real(c_double), allocatable :: coordinates(:)
    character(:), allocatable :: unit
    !> nouq_points, nouq_cells or nouq_periodic.
    integer(c_int32_t) :: kind = 0
  end type

  !> What a progress function is told of.
  type, bind(C), public :: nouq_epoch
    integer(c_int64_t) :: network, networks, epoch, epochs
    real(c_double) :: train_loss, validation_loss
  end type

  abstract interface
    !> Told of every epoch; anything but 0 stops the training.
    integer(c_int32_t) function nouq_progress(epoch, user) bind(C)
      import
      type(nouq_epoch), intent(in) :: epoch
      type(c_ptr), value :: user
    end function
  end interface
  public :: nouq_progress

  type, bind(C) :: c_axis
    type(c_ptr) :: name, unit, coordinates
    integer(c_int64_t) :: count
    integer(c_int32_t) :: kind
  end type

  public :: nouq_save, nouq_train, nouq_data_from_arrays, nouq_data_set_values, nouq_data_read, &
    nouq_data_write, nouq_data_samples, nouq_data_free
  public :: nouq_load, nouq_free, nouq_describe, nouq_coordinates, nouq_set_threads, nouq_predict
  public :: nouq_predict_band, nouq_predict_trust, nouq_band_coverage
  public :: nouq_gradient, nouq_derivative, nouq_parameter_gradient, nouq_parameter_derivative
  public :: nouq_integral, nouq_free_constraints, nouq_project, nouq_project_within, &
    nouq_metric, nouq_last_error, nouq_version
  public :: nouq_new_arrays, nouq_set_array, nouq_free_arrays, nouq_law_of, nouq_constraints_from_toml, &
    nouq_constraint_rows, nouq_noise_variances, nouq_project_as

  interface
    integer(c_int) function nouq_free(model) bind(C, name="nouq_free")
      import
      integer(c_int64_t), value :: model
    end function

    integer(c_int) function nouq_describe(model, info) bind(C, name="nouq_describe")
      import
      integer(c_int64_t), value :: model
      type(nouq_info), intent(out) :: info
    end function

    !> Threads of one call of nouq_predict: 1 unless set, 0 means all cores.
    integer(c_int) function nouq_set_threads(model, threads) bind(C, name="nouq_set_threads")
      import
      integer(c_int64_t), value :: model
      integer(c_int32_t), value :: threads
    end function

    !> What is absent is left out. score and verdict have one element per sample.
    integer(c_int) function nouq_predict(model, inputs, mean, deviation, samples, score, verdict) &
        bind(C, name="nouqf_predict")
      import
      integer(c_int64_t), value :: model
      type(*), dimension(..), intent(in) :: inputs
      type(*), dimension(..), intent(inout), optional :: mean, deviation, samples
      real(c_double), intent(inout), optional :: score(*)
      integer(c_int32_t), intent(inout), optional :: verdict(*)
    end function

    !> The same with band: half widths of bands around the mean that contain the truth with the probability
    !> that nouq_band_coverage gives (0: the model has no bands).
    integer(c_int) function nouq_predict_band(model, inputs, mean, deviation, samples, band, score, verdict) &
        bind(C, name="nouqf_predict_band")
      import
      integer(c_int64_t), value :: model
      type(*), dimension(..), intent(in) :: inputs
      type(*), dimension(..), intent(inout), optional :: mean, deviation, samples, band
      real(c_double), intent(inout), optional :: score(*)
      integer(c_int32_t), intent(inout), optional :: verdict(*)
    end function

    !> Derivatives of the mean, before any projection. By the inputs: gradient (as the inputs) is the sum over the
    !> outputs of sensitivity (as the mean) times d mean / d input; derivative (as the mean) that over the inputs
    !> of d mean / d input times direction (as the inputs).
    integer(c_int) function nouq_gradient(model, inputs, sensitivity, gradient) &
        bind(C, name="nouqf_gradient")
      import
      integer(c_int64_t), value :: model
      type(*), dimension(..), intent(in) :: inputs, sensitivity
      type(*), dimension(..), intent(inout) :: gradient
    end function

    integer(c_int) function nouq_derivative(model, inputs, direction, derivative) &
        bind(C, name="nouqf_derivative")
      import
      integer(c_int64_t), value :: model
      type(*), dimension(..), intent(in) :: inputs, direction
      type(*), dimension(..), intent(inout) :: derivative
    end function

    !> By the parameters that the inputs are functions of, where that is known: values, gradient and direction are
    !> [samples, parameters] or [parameters].
    integer(c_int) function nouq_parameter_gradient(model, values, sensitivity, gradient) &
        bind(C, name="nouqf_parameter_gradient")
      import
      integer(c_int64_t), value :: model
      type(*), dimension(..), intent(in) :: values, sensitivity
      type(*), dimension(..), intent(inout) :: gradient
    end function

    integer(c_int) function nouq_parameter_derivative(model, values, direction, derivative) &
        bind(C, name="nouqf_parameter_derivative")
      import
      integer(c_int64_t), value :: model
      type(*), dimension(..), intent(in) :: values, direction
      type(*), dimension(..), intent(inout) :: derivative
    end function

    !> nouq_predict with trust that gives its reasons. known: 0, or arrays with the values of the model's laws by
    !> name and "parameters"; witnesses(3, samples): spread, law, novelty, NaN where one is not heard; reasons: a
    !> line for each sample, its reasons separated by "; ", and 0 at the end.
    integer(c_int) function nouq_predict_trust(model, inputs, known, mean, deviation, samples, score, verdict, &
        witnesses, reasons, reasons_size) bind(C, name="nouqf_predict_trust")
      import
      integer(c_int64_t), value :: model
      type(*), dimension(..), intent(in) :: inputs
      integer(c_int64_t), value :: known
      type(*), dimension(..), intent(inout), optional :: mean, deviation, samples
      real(c_double), intent(inout), optional :: score(*)
      integer(c_int32_t), intent(inout), optional :: verdict(*)
      real(c_double), intent(inout), optional :: witnesses(3, *)
      character(kind=c_char), intent(inout), optional :: reasons(*)
      integer(c_int64_t), intent(in), optional :: reasons_size
    end function

    integer(c_int) function nouq_band_coverage(model, coverage) bind(C, name="nouq_band_coverage")
      import
      integer(c_int64_t), value :: model
      real(c_double), intent(out) :: coverage
    end function

    !> Arrays by name, for the values of laws and constraints; set with nouq_set_array.
    integer(c_int) function nouq_new_arrays(arrays) bind(C, name="nouq_new_arrays")
      import
      integer(c_int64_t), intent(out) :: arrays
    end function

    integer(c_int) function nouq_free_arrays(arrays) bind(C, name="nouq_free_arrays")
      import
      integer(c_int64_t), value :: arrays
    end function

    !> The model's own law and bounds; values (0 for none) has the right-hand sides under the names of its laws.
    integer(c_int) function nouq_law_of(model, values, constraints) bind(C, name="nouq_law_of")
      import
      integer(c_int64_t), value :: model, values
      integer(c_int64_t), intent(out) :: constraints
    end function

    integer(c_int) function nouq_constraint_rows(constraints, rows) bind(C, name="nouq_constraint_rows")
      import
      integer(c_int64_t), value :: constraints
      integer(c_int64_t), intent(out) :: rows
    end function

    integer(c_int) function c_set_array(arrays, name, values) bind(C, name="nouqf_set_array")
      import
      integer(c_int64_t), value :: arrays
      character(kind=c_char), intent(in) :: name(*)
      type(*), dimension(..), intent(in) :: values
    end function

    integer(c_int) function c_from_toml(model, text, arrays, noise_variance, constraints) &
        bind(C, name="nouq_constraints_from_toml")
      import
      integer(c_int64_t), value :: model, arrays
      character(kind=c_char), intent(in) :: text(*)
      real(c_double), value :: noise_variance
      integer(c_int64_t), intent(out) :: constraints
    end function

    integer(c_int) function c_noise_variances(constraints, variances, count) bind(C, name="nouq_noise_variances")
      import
      integer(c_int64_t), value :: constraints, count
      real(c_double), intent(inout) :: variances(*)
    end function

    integer(c_int) function c_project_as(constraints, mean, deviation, preset, samples, lower, upper) &
        bind(C, name="nouqf_project_as")
      import
      integer(c_int64_t), value :: constraints
      type(*), dimension(..), intent(inout) :: mean, deviation
      character(kind=c_char), intent(in) :: preset(*)
      type(*), dimension(..), intent(inout), optional :: samples
      type(*), dimension(..), intent(in), optional :: lower, upper
    end function

    integer(c_int) function nouq_free_constraints(constraints) bind(C, name="nouq_free_constraints")
      import
      integer(c_int64_t), value :: constraints
    end function

    integer(c_int) function c_load(path, model) bind(C, name="nouq_load")
      import
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int64_t), intent(out) :: model
    end function

    integer(c_int) function c_coordinates(model, axis, coordinates, count) bind(C, name="nouq_coordinates")
      import
      integer(c_int64_t), value :: model, count
      integer(c_int32_t), value :: axis
      real(c_double), intent(inout) :: coordinates(*)
    end function

    integer(c_int) function c_integral(model, axis, rule, channel, noise_variance, values, constraints) &
        bind(C, name="nouqf_integral")
      import
      integer(c_int64_t), value :: model, channel
      character(kind=c_char), intent(in) :: axis(*), rule(*)
      real(c_double), value :: noise_variance
      type(*), dimension(..), intent(in) :: values
      integer(c_int64_t), intent(out) :: constraints
    end function

    !> In place: mean and deviation (and samples) become those that meet the constraints. diagonal_share: 1
    !> spreads the correction by the deviations alone, 0 by the covariance of the samples.
    integer(c_int) function nouq_project(constraints, mean, deviation, samples, diagonal_share) &
        bind(C, name="nouqf_project")
      import
      integer(c_int64_t), value :: constraints
      type(*), dimension(..), intent(inout) :: mean, deviation
      type(*), dimension(..), intent(inout), optional :: samples
      real(c_double), intent(in), optional :: diagonal_share
    end function

    !> The same within bounds of every value; huge(1d0) and -huge(1d0) stand for none.
    integer(c_int) function nouq_project_within(constraints, mean, deviation, lower, upper, samples) &
        bind(C, name="nouqf_project_within")
      import
      integer(c_int64_t), value :: constraints
      type(*), dimension(..), intent(inout) :: mean, deviation
      real(c_double), value :: lower, upper
      type(*), dimension(..), intent(inout), optional :: samples
    end function

    integer(c_int) function c_metric(name, mean, deviation, truth, value) bind(C, name="nouqf_metric")
      import
      character(kind=c_char), intent(in) :: name(*)
      type(*), dimension(..), intent(in) :: mean, truth
      type(*), dimension(..), intent(in), optional :: deviation
      real(c_double), intent(out) :: value
    end function

    integer(c_int) function c_save(model, path) bind(C, name="nouq_save")
      import
      integer(c_int64_t), value :: model
      character(kind=c_char), intent(in) :: path(*)
    end function

    integer(c_int) function c_data_from_arrays(axes, grid, inputs, outputs, data) &
        bind(C, name="nouqf_data_from_arrays")
      import
      integer(c_int32_t), value :: axes
      type(c_axis), intent(in) :: grid(*)
      type(*), dimension(..), intent(in) :: inputs, outputs
      integer(c_int64_t), intent(out) :: data
    end function

    integer(c_int) function c_data_set_values(data, name, values) bind(C, name="nouqf_data_set_values")
      import
      integer(c_int64_t), value :: data
      character(kind=c_char), intent(in) :: name(*)
      type(*), dimension(..), intent(in) :: values
    end function

    integer(c_int) function c_data_read(path, data) bind(C, name="nouq_data_read")
      import
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int64_t), intent(out) :: data
    end function

    integer(c_int) function c_data_write(data, path) bind(C, name="nouq_data_write")
      import
      integer(c_int64_t), value :: data
      character(kind=c_char), intent(in) :: path(*)
    end function

    integer(c_int) function nouq_data_samples(data, samples) bind(C, name="nouq_data_samples")
      import
      integer(c_int64_t), value :: data
      integer(c_int64_t), intent(out) :: samples
    end function

    integer(c_int) function nouq_data_free(data) bind(C, name="nouq_data_free")
      import
      integer(c_int64_t), value :: data
    end function

    integer(c_int) function c_train(data, settings, progress, user, model) bind(C, name="nouq_train")
      import
      integer(c_int64_t), value :: data
      character(kind=c_char), intent(in) :: settings(*)
      type(c_funptr), value :: progress
      type(c_ptr), value :: user
      integer(c_int64_t), intent(out) :: model
    end function

    type(c_ptr) function c_last_error() bind(C, name="nouq_last_error")
      import
    end function

    type(c_ptr) function c_version() bind(C, name="nouq_version")
      import
    end function

    integer(c_size_t) function c_strlen(text) bind(C, name="strlen")
      import
      type(c_ptr), value :: text
    end function
  end interface

contains

  integer(c_int) function nouq_load(path, model) result(status)
    character(*), intent(in) :: path
    integer(nouq_handle), intent(out) :: model
    status = c_load(trim(path) // c_null_char, model)
  end function

  !> Writes a model to one file.
  integer(c_int) function nouq_save(model, path) result(status)
    integer(nouq_handle), intent(in) :: model
    character(*), intent(in) :: path
    status = c_save(model, trim(path) // c_null_char)
  end function

  !> A data set of the caller's fields, which are copied: inputs and outputs are [samples, axes..., channels].
  integer(c_int) function nouq_data_from_arrays(grid, inputs, outputs, data) result(status)
    type(nouq_axis), intent(in), target :: grid(:)
    type(*), dimension(..), intent(in) :: inputs, outputs
    integer(nouq_handle), intent(out) :: data
    type(c_axis) :: axes(size(grid))
    character(kind=c_char), target :: names(256, size(grid)), units(256, size(grid))
    integer :: a
    do a = 1, size(grid)
      call to_c(grid(a)%name, names(:, a))
      units(1, a) = c_null_char
      if (allocated(grid(a)%unit)) call to_c(grid(a)%unit, units(:, a))
      axes(a)%name = c_loc(names(1, a))
      axes(a)%unit = c_loc(units(1, a))
      axes(a)%coordinates = c_loc(grid(a)%coordinates)
      axes(a)%count = size(grid(a)%coordinates, kind=c_int64_t)
      axes(a)%kind = grid(a)%kind
    end do
    status = c_data_from_arrays(int(size(grid), c_int32_t), axes, inputs, outputs, data)
  end function

  !> The values of a conservation law, e.g. "mass": [samples, times].
  integer(c_int) function nouq_data_set_values(data, name, values) result(status)
    integer(nouq_handle), intent(in) :: data
    character(*), intent(in) :: name
    type(*), dimension(..), intent(in) :: values
    status = c_data_set_values(data, trim(name) // c_null_char, values)
  end function

  integer(c_int) function nouq_data_read(path, data) result(status)
    character(*), intent(in) :: path
    integer(nouq_handle), intent(out) :: data
    status = c_data_read(trim(path) // c_null_char, data)
  end function

  integer(c_int) function nouq_data_write(data, path) result(status)
    integer(nouq_handle), intent(in) :: data
    character(*), intent(in) :: path
    status = c_data_write(data, trim(path) // c_null_char)
  end function

  !> Trains a surrogate. settings: lines of TOML as in [train] of the tool's configuration files, separated by
  !> new_line("a"); "" for the defaults. progress is told of every epoch and may stop the training.
  integer(c_int) function nouq_train(data, settings, model, progress) result(status)
    integer(nouq_handle), intent(in) :: data
    character(*), intent(in) :: settings
    integer(nouq_handle), intent(out) :: model
    procedure(nouq_progress), optional :: progress
    type(c_funptr) :: tell
    tell = c_null_funptr
    if (present(progress)) tell = c_funloc(progress)
    status = c_train(data, trim(settings) // c_null_char, tell, c_null_ptr, model)
  end function

  subroutine to_c(text, letters)
    character(*), intent(in) :: text
    character(kind=c_char), intent(out) :: letters(256)
    integer :: i
    do i = 1, min(len_trim(text), 255)
      letters(i) = text(i:i)
    end do
    letters(min(len_trim(text), 255) + 1) = c_null_char
  end subroutine

  !> The coordinates along an axis, counted from 1; the array must have its extent.
  integer(c_int) function nouq_coordinates(model, axis, coordinates) result(status)
    integer(nouq_handle), intent(in) :: model
    integer, intent(in) :: axis
    real(c_double), intent(inout) :: coordinates(:)
    status = c_coordinates(model, int(axis - 1, c_int32_t), coordinates, size(coordinates, kind=c_int64_t))
  end function

  !> The integral along an axis is known at every place on the others. values: [samples, other axes...], or
  !> [other axes...] for all samples. rule: automatic (the default: what the kind of the axis asks for), trapezoid,
  !> simpson or midpoint; channel counts from 1;
  !> noise_variance: the variance with which the law holds, 0 for exactly.
  integer(c_int) function nouq_integral(model, axis, values, constraints, rule, channel, noise_variance) result(status)
    integer(nouq_handle), intent(in) :: model
    character(*), intent(in) :: axis
    type(*), dimension(..), intent(in) :: values
    integer(nouq_handle), intent(out) :: constraints
    character(*), intent(in), optional :: rule
    integer, intent(in), optional :: channel
    real(c_double), intent(in), optional :: noise_variance
    character(:), allocatable :: the_rule
    integer(c_int64_t) :: the_channel
    real(c_double) :: the_noise
    the_rule = "automatic"
    the_channel = 0
    the_noise = 0
    if (present(rule)) the_rule = trim(rule)
    if (present(channel)) the_channel = channel - 1
    if (present(noise_variance)) the_noise = noise_variance
    status = c_integral(model, trim(axis) // c_null_char, the_rule // c_null_char, the_channel, the_noise, &
                        values, constraints)
  end function

  !> Copies an array under a name; one of that name is replaced.
  integer(c_int) function nouq_set_array(arrays, name, values) result(status)
    integer(nouq_handle), intent(in) :: arrays
    character(*), intent(in) :: name
    type(*), dimension(..), intent(in) :: values
    status = c_set_array(arrays, trim(name) // c_null_char, values)
  end function

  !> Any kind of constraint from TOML text, as nouq.h says; the grid is that of the model, or with model 0 that of
  !> the text's [[axis]] tables. arrays: those that the text names; noise_variance: of rows that set no noise variance of
  !> their own, 0 (exactly) unless given. Indices in the text count from 0.
  integer(c_int) function nouq_constraints_from_toml(model, text, constraints, arrays, noise_variance) result(status)
    integer(nouq_handle), intent(in) :: model
    character(*), intent(in) :: text
    integer(nouq_handle), intent(out) :: constraints
    integer(nouq_handle), intent(in), optional :: arrays
    real(c_double), intent(in), optional :: noise_variance
    integer(c_int64_t) :: the_arrays
    real(c_double) :: the_variance
    the_arrays = 0
    the_variance = 0
    if (present(arrays)) the_arrays = arrays
    if (present(noise_variance)) the_variance = noise_variance
    status = c_from_toml(model, text // c_null_char, the_arrays, the_variance, constraints)
  end function

  !> The noise variance of each row.
  integer(c_int) function nouq_noise_variances(constraints, variances) result(status)
    integer(nouq_handle), intent(in) :: constraints
    real(c_double), intent(inout) :: variances(:)
    status = c_noise_variances(constraints, variances, size(variances, kind=c_int64_t))
  end function

  !> In place, by name as the tool's --conserve: diagonal, low-rank, bounded or none; without a name within the
  !> constraints' own bounds, where they have some. lower and upper: further bounds, one for all or one per value.
  integer(c_int) function nouq_project_as(constraints, mean, deviation, preset, samples, lower, upper) result(status)
    integer(nouq_handle), intent(in) :: constraints
    type(*), dimension(..), intent(inout) :: mean, deviation
    character(*), intent(in), optional :: preset
    type(*), dimension(..), intent(inout), optional :: samples
    type(*), dimension(..), intent(in), optional :: lower, upper
    character(:), allocatable :: the_preset
    the_preset = ""
    if (present(preset)) the_preset = trim(preset)
    status = c_project_as(constraints, mean, deviation, the_preset // c_null_char, samples, lower, upper)
  end function

  !> A metric by name of fields [samples, axes..., channels]; deviation may be absent for those of the mean.
  integer(c_int) function nouq_metric(name, mean, truth, value, deviation) result(status)
    character(*), intent(in) :: name
    type(*), dimension(..), intent(in) :: mean, truth
    real(c_double), intent(out) :: value
    type(*), dimension(..), intent(in), optional :: deviation
    status = c_metric(trim(name) // c_null_char, mean, deviation, truth, value)
  end function

  !> Why the last failed call of this thread failed.
  function nouq_last_error() result(text)
    character(:), allocatable :: text
    text = to_fortran(c_last_error())
  end function

  function nouq_version() result(text)
    character(:), allocatable :: text
    text = to_fortran(c_version())
  end function

  function to_fortran(pointer) result(text)
    type(c_ptr), intent(in) :: pointer
    character(:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    integer :: i
    call c_f_pointer(pointer, letters, [c_strlen(pointer)])
    allocate (character(size(letters)) :: text)
    do i = 1, size(letters)
      text(i:i) = letters(i)
    end do
  end function
end module
