! Trains from Fortran on fields of its own, with a function that watches and may stop.
!
! Sample run:  ./09_train heat-from-fortran.nouq
!   epoch 20 of 20, validation loss 1.2E-01
!   wrote heat-from-fortran.nouq: a model with 4 members
!
! 1. a data set from arrays: [samples, x, t, channel], as Fortran stores them
! 2. settings as lines of TOML
! 3. train and save
module watching
  use, intrinsic :: iso_c_binding
  use nouq
  implicit none
contains
  integer(c_int32_t) function watch(epoch, user) bind(C)
    type(nouq_epoch), intent(in) :: epoch
    type(c_ptr), value :: user
    watch = 0
    if (c_associated(user)) watch = 1
    if (epoch%epoch + 1 == epoch%epochs .and. epoch%network == 0) &
      print "(a, i0, a, i0, a, es8.1)", "epoch ", epoch%epoch + 1, " of ", epoch%epochs, ", validation loss", &
        epoch%validation_loss
  end function
end module

program train
  use, intrinsic :: iso_fortran_env, only: real32, real64
  use nouq
  use watching
  implicit none
  integer, parameter :: samples = 40, nx = 32, nt = 8
  character(1), parameter :: nl = new_line("a")
  real(real32) :: inputs(samples, nx, nt, 1), outputs(samples, nx, nt, 1)
  type(nouq_axis) :: grid(2)
  integer(nouq_handle) :: data, model
  type(nouq_info) :: info
  character(4096) :: path
  real(real64) :: k
  integer :: s, i, j

  call get_command_argument(1, path)
  ! 1. u_t = k u_xx with u(x, 0) = sin x, for k from 1 to 5.
  grid(1)%name = "x"
  grid(1)%coordinates = [(2 * acos(-1.0_real64) * i / (nx - 1), i=0, nx - 1)]
  grid(2)%name = "t"
  grid(2)%coordinates = [(real(j, real64) / (nt - 1), j=0, nt - 1)]
  do s = 1, samples
    k = 1 + 4.0_real64 * (s - 1) / (samples - 1)
    inputs(s, :, :, 1) = real(k, real32)
    do j = 1, nt
      outputs(s, :, j, 1) = real(exp(-k * grid(2)%coordinates(j)) * sin(grid(1)%coordinates), real32)
    end do
  end do
  call check(nouq_data_from_arrays(grid, inputs, outputs, data))

  ! 2. and 3.
  call check(nouq_train(data, "method = 'ensemble'" // nl // "count = 4" // nl // "epochs = 20" // nl // &
                        "batch = 8" // nl // "rate = 5e-3" // nl // "width = 8" // nl // "modes = [6]", model, watch))
  call check(nouq_save(model, path))
  call check(nouq_describe(model, info))
  print "(3a, i0, a)", "wrote ", trim(path), ": a model with ", info%members, " members"
  call check(nouq_data_free(data))
  call check(nouq_free(model))

contains

  subroutine check(status)
    integer, intent(in) :: status
    if (status == nouq_ok) return
    print "(a)", nouq_last_error()
    stop 1
  end subroutine
end program
