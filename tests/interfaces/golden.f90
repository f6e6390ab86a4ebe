! The golden networks through the Fortran module: the same bits as C++, for whole arrays and for sections.
!
!   golden FOLDER NAME MEMBERS    with the files of nouq_make_models
program golden
  use, intrinsic :: iso_fortran_env, only: real32, real64, int64, error_unit
  use nouq
  implicit none
  integer, parameter :: samples = 3, nx = 100, nt = 20
  character(4096) :: folder, name, text
  integer :: members
  integer(nouq_handle) :: model, gone
  type(nouq_info) :: info
  real(real32) :: inputs(samples, nx, nt, 1)
  real(real64), dimension(samples, nx, nt, 1) :: mean, deviation, expected_mean, expected_deviation
  real(real64), dimension(samples, nx, nt, 1) :: by_input, along
  real(real64) :: wide(2, 0:nx + 1, nt), coordinates(nx), value
  real(real64), allocatable :: heads(:, :, :, :, :), expected_heads(:, :, :, :, :)

  call get_command_argument(1, folder)
  call get_command_argument(2, name)
  call get_command_argument(3, text)
  read (text, *) members
  call read_real32("inputs", inputs)
  call read_real64("mean", expected_mean)
  call read_real64("deviation", expected_deviation)

  call expect(nouq_load(trim(folder) // "/" // trim(name) // ".nouq", model) == nouq_ok, "load")
  call expect(nouq_describe(model, info) == nouq_ok, "describe")
  call expect(info%axes == 2 .and. info%extent(1) == nx .and. info%members == members, "info")
  call expect(nouq_coordinates(model, 1, coordinates) == nouq_ok, "coordinates")
  call expect(coordinates(1) == 0 .and. coordinates(nx) == 1, "the ends of the first axis")

  call expect(nouq_predict(model, inputs, mean, deviation) == nouq_ok, "predict")
  call expect(same(mean, expected_mean), "the mean has other bits than in C++")
  call expect(same(deviation, expected_deviation), "the deviation has other bits than in C++")

  ! One sample, read from a section and written into the inside of another array.
  wide = 7
  call expect(nouq_predict(model, inputs(2, :, :, 1), mean=wide(1, 1:nx, :)) == nouq_ok, "predict a section")
  call expect(all(wide(1, 1:nx, :) == expected_mean(2, :, :, 1)), "a section has other bits")
  call expect(all(wide(2, :, :) == 7) .and. all(wide(1, 0, :) == 7), "written outside the section")

  if (members > 0) then
    allocate (heads(samples, members, nx, nt, 1), expected_heads(samples, members, nx, nt, 1))
    call read_members(expected_heads)
    call expect(nouq_predict(model, inputs, samples=heads) == nouq_ok, "samples")
    call expect(all(heads == expected_heads), "the samples have other bits than in C++")
  end if

  ! The two sides of the Jacobian are adjoint to each other; sections and one sample will do.
  call expect(nouq_gradient(model, inputs, expected_mean, by_input) == nouq_ok, "gradient")
  call expect(nouq_derivative(model, inputs, by_input, along) == nouq_ok, "derivative")
  call expect(abs(sum(along * expected_mean) / sum(by_input * by_input) - 1) < 1e-4, "gradient and derivative")
  call expect(nouq_gradient(model, inputs(2, :, :, 1), expected_mean(2, :, :, 1), wide(1, 1:nx, :)) == nouq_ok, &
              "gradient of a section")
  call expect(all(wide(1, 1:nx, :) == by_input(2, :, :, 1)), "the gradient of a section has other bits")
  call expect(nouq_parameter_gradient(model, coordinates(1:1), expected_mean, coordinates(1:1)) == nouq_bad_request, &
              "a model of fields has no parameters")

  call expect(nouq_metric("mse", mean, expected_mean, value) == nouq_ok .and. value == 0, "metric")
  call expect(nouq_predict(model, [1, 2, 3], mean) == nouq_bad_request, "integers must be refused")
  call expect(index(nouq_last_error(), "inputs has numbers of type 0") == 1, "their message")
  gone = model
  call expect(nouq_free(model) == nouq_ok .and. nouq_free(gone) == nouq_bad_handle, "free")
  print "(2a)", trim(name), ": the same bits as C++"

contains

  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    write (error_unit, "(3a)") what, "; last error: ", nouq_last_error()
    error stop 1
  end subroutine

  ! Bit by bit.
  logical function same(a, b)
    real(real64), intent(in) :: a(:, :, :, :), b(:, :, :, :)
    same = all(transfer(a, [0_int64]) == transfer(b, [0_int64]))
  end function

  integer function open_numbers(what) result(unit)
    character(*), intent(in) :: what
    open (newunit=unit, file=trim(folder) // "/" // trim(name) // "." // what, access="stream", status="old", &
          form="unformatted", action="read")
  end function

  ! The files are row-major: the last index comes first.
  subroutine read_real32(what, values)
    character(*), intent(in) :: what
    real(real32), intent(out) :: values(:, :, :, :)
    integer :: unit, s, x
    unit = open_numbers(what)
    do s = 1, size(values, 1)
      do x = 1, size(values, 2)
        read (unit) values(s, x, :, 1)
      end do
    end do
    close (unit)
  end subroutine

  subroutine read_real64(what, values)
    character(*), intent(in) :: what
    real(real64), intent(out) :: values(:, :, :, :)
    integer :: unit, s, x
    unit = open_numbers(what)
    do s = 1, size(values, 1)
      do x = 1, size(values, 2)
        read (unit) values(s, x, :, 1)
      end do
    end do
    close (unit)
  end subroutine

  subroutine read_members(values)
    real(real64), intent(out) :: values(:, :, :, :, :)
    integer :: unit, s, m, x
    unit = open_numbers("samples")
    do s = 1, size(values, 1)
      do m = 1, size(values, 2)
        do x = 1, size(values, 3)
          read (unit) values(s, m, x, :, 1)
        end do
      end do
    end do
    close (unit)
  end subroutine
end program
