! Example 05 in Fortran: ask the surrogate; where it is out of its domain, step through time.
!
! Sample run:  ./08_time_stepping heat.nouq
program time_stepping
  use, intrinsic :: iso_fortran_env, only: real64, int32
  use nouq
  implicit none
  character(4096) :: path
  integer(nouq_handle) :: model, law
  type(nouq_info) :: info
  real(real64), allocatable :: x(:), t(:), input(:, :), u(:, :), deviation(:, :), heat(:)
  real(real64) :: k, score(1)
  integer(int32) :: verdict(1)

  call get_command_argument(1, path)
  call check(nouq_load(path, model))
  call check(nouq_describe(model, info))
  allocate (x(info%extent(1)), t(info%extent(2)), heat(info%extent(2)))
  allocate (input(size(x), size(t)), u(size(x), size(t)), deviation(size(x), size(t)))
  call check(nouq_coordinates(model, 1, x))
  call check(nouq_coordinates(model, 2, t))
  heat = 0
  call check(nouq_integral(model, "x", heat, law))

  print "(a)", "     k    score by         largest error"
  k = 1.5_real64
  do while (k < 50)
    input = k
    call check(nouq_predict(model, input, u, deviation, score=score, verdict=verdict))
    if (verdict(1) == nouq_out_of_domain) then
      call solve(k, u)
      print "(f6.2, f9.2, a, es8.1)", k, score, " solver     ", largest_error(k)
    else
      call check(nouq_project(law, u, deviation))
      print "(f6.2, f9.2, a, es8.1)", k, score, " surrogate  ", largest_error(k)
    end if
    k = 1.6_real64 * k
  end do
  call check(nouq_free_constraints(law))
  call check(nouq_free(model))

contains

  subroutine check(status)
    integer, intent(in) :: status
    if (status == nouq_ok) return
    print "(a)", nouq_last_error()
    error stop 1
  end subroutine

  ! Explicit Euler in time, second differences in space.
  subroutine solve(diffusivity, result)
    real(real64), intent(in) :: diffusivity
    real(real64), intent(out) :: result(:, :)
    real(real64) :: v(size(x)), h, now, step
    integer :: j, s, steps, n
    n = size(x)
    h = x(2) - x(1)
    v = sin(x)
    now = 0
    do j = 1, size(t)
      steps = ceiling((t(j) - now)*diffusivity/(0.4_real64*h*h))
      if (steps > 0) step = (t(j) - now)/steps
      do s = 1, steps
        v(2:n - 1) = v(2:n - 1) + step*diffusivity*(v(:n - 2) - 2*v(2:n - 1) + v(3:))/(h*h)
      end do
      now = t(j)
      result(:, j) = v
    end do
  end subroutine

  real(real64) function largest_error(diffusivity)
    real(real64), intent(in) :: diffusivity
    integer :: j
    largest_error = 0
    do j = 1, size(t)
      largest_error = max(largest_error, maxval(abs(u(:, j) - exp(-diffusivity*t(j))*sin(x))))
    end do
  end function
end program
