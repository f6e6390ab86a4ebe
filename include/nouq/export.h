/* Marks what the shared library offers; everything else stays hidden inside it. */
#ifndef NOUQ_EXPORT_H
#define NOUQ_EXPORT_H

#if defined(__GNUC__)
#define NOUQ_API __attribute__((visibility("default")))
#else
#define NOUQ_API
#endif

#endif
