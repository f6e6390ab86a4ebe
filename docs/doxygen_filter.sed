#!/bin/sed -Ef
# Plain comments become Doxygen's: the first of a file is the file's, one on its own line speaks of what follows, one
# after a declaration of that declaration.
1s;^// ;/// @file\n///\n/// ;
1s;^/\* ;/** @file\n *\n * ;
s;^( *)// -+.*$;;
s;^( *)//( |$);\1///\2;
s;^( *)/\* ---.*$;;
2,$s;^( *)/\* ;\1/** ;
s;^(.*[;,{}]) +// ;\1 ///< ;
s;^(.*[;,{}]) +/\* ;\1 /**< ;
