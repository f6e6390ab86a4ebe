// The works the problems come from, cited by more than one of them.
#pragma once

namespace nouq::problems {

inline constexpr auto cite_mouli =
    "S. C. Mouli, D. C. Maddix, S. Alizadeh, G. Gupta, A. Stuart, M. W. Mahoney, Y. Wang: Using uncertainty "
    "quantification to characterize and improve out-of-domain learning for PDEs. ICML 2024";
inline constexpr auto cite_hansen =
    "D. Hansen, D. C. Maddix, S. Alizadeh, G. Gupta, M. W. Mahoney: Learning physical models that can "
    "respect conservation laws. ICML 2023";
inline constexpr auto cite_vazquez =
    "J. L. Vazquez: The porous medium equation: mathematical theory. Oxford University Press, 2007";
inline constexpr auto cite_maddix =
    "D. C. Maddix, L. Sampaio, M. Gerritsen: Numerical artifacts in the discontinuous generalized porous "
    "medium equation. Journal of Computational Physics 368, 277-298, 2018";
inline constexpr auto cite_li =
    "Z. Li, N. Kovachki, K. Azizzadenesheli, B. Liu, K. Bhattacharya, A. Stuart, A. Anandkumar: Fourier "
    "neural operator for parametric partial differential equations. ICLR 2021";

}  // namespace nouq::problems
