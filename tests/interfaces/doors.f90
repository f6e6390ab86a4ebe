! One projection through Fortran: see doors.c. Arrays have the same indices as in C, in Fortran's order. They are
! allocated by name: gfortran 12 leaves strides open in the descriptors of arrays that an assignment allocates.
program doors
  use, intrinsic :: iso_c_binding, only: c_double
  use nouq
  implicit none
  character(1024) :: folder, path
  character(64) :: name
  character(:), allocatable :: text
  integer(nouq_handle) :: arrays, law, model
  integer :: unit, status
  real(c_double), allocatable :: line(:), mean4(:, :, :, :), deviation4(:, :, :, :), samples4(:, :, :, :, :)
  real(c_double), allocatable :: mean5(:, :, :, :, :), deviation5(:, :, :, :, :), samples5(:, :, :, :, :, :)
  real(c_double), allocatable :: inputs(:, :, :, :), band(:, :, :, :), score(:)
  integer, allocatable :: extents(:)
  logical :: own

  call get_command_argument(1, folder)
  own = command_argument_count() == 2
  call read_text(trim(folder) // "/case.toml", text)
  call check(nouq_new_arrays(arrays), "arrays")
  open (newunit=unit, file=trim(folder) // "/arrays", action="read")
  do
    read (unit, *, iostat=status) name
    if (status /= 0) exit
    call read_numbers(trim(name), extents, line)
    if (size(extents) == 1) then
      call check(nouq_set_array(arrays, name, line), name)
    else
      call check(nouq_set_array(arrays, name, reshape(line, extents(1:2), order=[2, 1])), name)
    end if
  end do
  close (unit)
  if (own) then
    call get_command_argument(2, path)
    call check(nouq_load(path, model), "load")
    call check(nouq_law_of(model, arrays, law), "law")
  else
    call check(nouq_constraints_from_toml(0_nouq_handle, text, law, arrays), "constraints")
  end if

  call read_numbers("mean", extents, line)
  if (size(extents) == 4) then
    allocate (mean4(extents(1), extents(2), extents(3), extents(4)))
    mean4 = reshape(line, extents(1:4), order=[4, 3, 2, 1])
    call read_numbers("std", extents, line)
    allocate (deviation4(extents(1), extents(2), extents(3), extents(4)))
    deviation4 = reshape(line, extents(1:4), order=[4, 3, 2, 1])
    call read_numbers("samples", extents, line)
    allocate (samples4(extents(1), extents(2), extents(3), extents(4), extents(5)))
    samples4 = reshape(line, extents(1:5), order=[5, 4, 3, 2, 1])
    if (own) then
      call ask()
      call check(nouq_project_as(law, mean4, deviation4, "bounded", samples=samples4), "project")
    else
      call check(nouq_project_as(law, mean4, deviation4, samples=samples4), "project")
    end if
    call write_numbers("mean", reshape(mean4, [size(mean4)]), shape(mean4))
    call write_numbers("std", reshape(deviation4, [size(deviation4)]), shape(deviation4))
    call write_numbers("samples", reshape(samples4, [size(samples4)]), shape(samples4))
  else
    allocate (mean5(extents(1), extents(2), extents(3), extents(4), extents(5)))
    mean5 = reshape(line, extents(1:5), order=[5, 4, 3, 2, 1])
    call read_numbers("std", extents, line)
    allocate (deviation5(extents(1), extents(2), extents(3), extents(4), extents(5)))
    deviation5 = reshape(line, extents(1:5), order=[5, 4, 3, 2, 1])
    call read_numbers("samples", extents, line)
    allocate (samples5(extents(1), extents(2), extents(3), extents(4), extents(5), extents(6)))
    samples5 = reshape(line, extents(1:6), order=[6, 5, 4, 3, 2, 1])
    call check(nouq_project_as(law, mean5, deviation5, samples=samples5), "project")
    call write_numbers("mean", reshape(mean5, [size(mean5)]), shape(mean5))
    call write_numbers("std", reshape(deviation5, [size(deviation5)]), shape(deviation5))
    call write_numbers("samples", reshape(samples5, [size(samples5)]), shape(samples5))
  end if
  call check(nouq_free_arrays(arrays), "free")
  call check(nouq_free_constraints(law), "free")

contains

  ! The model's prediction in place of the fields.
  subroutine ask()
    call read_numbers("inputs", extents, line)
    allocate (inputs(extents(1), extents(2), extents(3), extents(4)))
    inputs = reshape(line, extents(1:4), order=[4, 3, 2, 1])
    call read_numbers("score", extents, score)
    allocate (band(size(mean4, 1), size(mean4, 2), size(mean4, 3), size(mean4, 4)))
    call check(nouq_predict_band(model, inputs, mean4, deviation4, samples4, band, score), "predict")
    call write_numbers("band", reshape(band, [size(band)]), shape(band))
    call write_numbers("score", score, shape(score))
    call check(nouq_free(model), "free")
  end subroutine

  subroutine check(outcome, what)
    integer, intent(in) :: outcome
    character(*), intent(in) :: what
    if (outcome == nouq_ok) return
    print *, trim(what), ": ", nouq_last_error()
    error stop 1
  end subroutine

  subroutine read_text(path, contents)
    character(*), intent(in) :: path
    character(:), allocatable, intent(out) :: contents
    integer :: file, bytes
    open (newunit=file, file=path, access="stream", form="unformatted", action="read")
    inquire (unit=file, size=bytes)
    allocate (character(bytes) :: contents)
    read (file) contents
    close (file)
  end subroutine

  subroutine read_numbers(array, sizes, values)
    character(*), intent(in) :: array
    integer, allocatable, intent(out) :: sizes(:)
    real(c_double), allocatable, intent(out) :: values(:)
    integer :: file, rank
    open (newunit=file, file=trim(folder) // "/" // array // ".shape", action="read")
    read (file, *) rank
    allocate (sizes(rank))
    read (file, *) sizes
    close (file)
    allocate (values(product(sizes)))
    open (newunit=file, file=trim(folder) // "/" // array // ".bin", access="stream", form="unformatted", action="read")
    read (file) values
    close (file)
  end subroutine

  ! In C's order: the last index fastest.
  subroutine write_numbers(array, values, sizes)
    character(*), intent(in) :: array
    real(c_double), intent(in) :: values(:)
    integer, intent(in) :: sizes(:)
    integer :: file, i, k, left, place
    integer :: strides(size(sizes))
    strides(1) = 1
    do k = 2, size(sizes)
      strides(k) = strides(k - 1) * sizes(k - 1)
    end do
    open (newunit=file, file=trim(folder) // "/" // array // ".out", access="stream", form="unformatted", &
          status="replace", action="write")
    do i = 0, size(values) - 1
      left = i
      place = 1
      do k = size(sizes), 1, -1
        place = place + mod(left, sizes(k)) * strides(k)
        left = left / sizes(k)
      end do
      write (file) values(place)
    end do
    close (file)
  end subroutine
end program
