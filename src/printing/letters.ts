import { inflateRawSync } from "node:zlib";

/** Dots of a letter of the printers' font A. */
export const letterWidth = 12;
export const letterHeight = 24;

/** PC858 from the space on, 24 rows of 12 bits a letter, deflated: made from Terminus Font 4.48 (its licence is in THIRD-PARTY.txt), but for the 0, whose stroke would make an 8 of it in bold. */
const packed =
  "nVlPb9s2FKdkomGMoFKKYPChiBTPHXod0EOwQ81obOOemh12blD0W7Soac9Ac8xxt+aw7NBP4Q0+7GP4sA9g7JQNwTL+kSyRfKSUEYQhSD8/vn/8vUcJoa4DI9qc1Z167EepnG1yNGz6W2pcGBCKo81owRimo2iDOcOMjWYbvWg9emSyuPwW5bFUg5No8KgYHXEDchinR2JG+V5Eh+yALgidHxxS16iWEaFcwIhYpZziL3lkYsTNWN5MqykVI66smOyjK7xzi9HVfkw8CyqtJIbaVgfwiMMPd27R/aKMbMt4aY7yM0qFnSbiYZTmc2LMWfrQlrw8iKmVRWNT5SwmVERdrpNK7ym/T5cOpjR3g7i8oAXJbH+IgI8wXaQFlgJPb11HTlelElNE9JUrJ5tXGKwUYwBmutIKl44BM6q0i+F8tskXsJwthhY4W2oxZNwSI296WBg7N0rXSi+n0okibwksqUoeKwp66L+VMrYhA+0qV6RgjmVzsdWfs9F8oiZ7950Qmq09/mFY+lxfWzEtw0TqeIlrUJ86C6GY1n/HPjnb/KE7m600y0sghnr1+eDLsVqN09v62hSUIXtziWnJ6a0bHMaJ4sP00F6LnOCcYX72AJ1J8s1PhDcoQDfWtGyn3zw4u+6/Gr19OYrpduaAXecv8ISxQvDzCrIrdmIRiNenNj83JiueZmbaN+X4bFdydAHw8s90CXrIE1O/XSVpKDoVVbKPrvqunIZ7X47evnrSP/v1getnIURJoH1RbWMiWYj6MFc+naealxrk7MY9aWZYNRO7CKpKWVXSWJZLYlFUUlfSeiYGxckCSin6f0OrrZjrHmOsikX2+5aogX1hsofNG1YWyQnUL1yvwuC1jKwWtCD+EePM9GFvqYtsKA9LOcZae5lZfSC77PzRkh8H+UflAupZ2WF2CyIb5CzIUZyPenwU50ciXc21HnfgumpHC2ppDApiQnYB7OHGC5AjahDEQnZMAdDpSnKvj8fKPFyoktG7kQiGrT6qaq4M//Sg/DH5B84xbbKkIIh/mnK2bh5zGCOEaApy+QfSx87DmoX8/WHEqx4s4pXtecRDZxlwXwxUP6/moLqgAw8tHEujj/20cb4bkZzVRD1dd+lJlPHNc1NbvJQ/WjhB0mYbj+m1whjNnGHMQylnHcZ4+NCwXesctkvrHMZonbvICfOY1ieM0Wv5MIa2np5Wey+M0RHv0ovq8X5Z4Lz48PTjQnZ/xXsTM/6Tqvt0kdyWF4R+WgO2h/nQtc7FGLHwYPRa4ZzXcsIYaO/U3AJo6+gDSAjWgmy4R1cHBWOTF/j8JfkMnJcVp+ysq3qHgXPuO1wLYXgJroUNUnWf97g+UdvlQNw9NnkjvE81JpzzBv94/KMx4XgN5pOv/XVZP205O0Q32hbh2PzkFvXAdyCbdK4ABU75xoNpnqar3tcTd3GMfSPa7+v+myfDH57085Mb7wsZb2nng1i0RAvCL1WBOx4xptb84MXMBsPFhPAb2UrBOrf0fnHOyCwdYjqMUsJZnAMYcXcfXQgIphf74g/V/S9XHeb1j63z7p8vrdNTtYMzWbo33Sx1edVlORfjMpjvvYTOjdcyN+Iz8fvLX83c2EWXzfm3OOkkl9bNLtNa8a6DHLXWJpD2WSy2V2VfMcnMFGqeK3HvpiIZz4Bi4b5FaH3zjJO79nNactdlLfemK6eLPj45mql8vKqfhvPHDtlGbPIW8xOJ+dwS9w1smpE/EtMiZxdaC5JjrwXp45UjWCeriFpsHNFIW9K+QvwZysN1p64mr1fu2Vzv93AfpXuAMEZzQrd+TFYfcf9f8TRZy1PKCUmsSho855YcFcSUvU2LHJszu7w+cQXedRhAmnkw5lay61fJvUG7uqwOdCye/HmOU9UQp9tEOn9BXge6YkcO0PF61nKZoYkBngZ7UQOzOvjIDKaD31lhByMyeQE/BTo6Rx+gk/f4p0uPDfWQdT+/fRp6n9m7aU1xLed+o0Ws/V1vuuwkVcL0h5hoOUT5HsqHJ39I9fjPj+aTidP7jVfVi5jvVw0fmeQzEw5f70cknZGUX+yIIjUjia/1Vat3+VTatFTrlJRLbEJfhO/pZp8m8iNj8H2g1ke4y2fvFpPy8htZxlsiPv6pMfn9DPkP";

const bits = inflateRawSync(Buffer.from(packed, "base64"));
const bitsOfLetter = letterWidth * letterHeight;

/** True if a letter of PC858 is black at this dot. */
export function isInk(byte: number, x: number, y: number): boolean {
  const at = (byte - 0x20) * bitsOfLetter + y * letterWidth + x;
  return (((bits[at >> 3] ?? 0) >> (7 - (at & 7))) & 1) === 1;
}
