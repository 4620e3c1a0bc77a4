import { inflateRawSync } from "node:zlib";

/** Dots of a letter of the printers' font A. */
export const letterWidth = 12;
export const letterHeight = 24;

/** PC858 from the space on, 24 rows of 12 bits a letter, deflated: made from Terminus Font 4.48 (`docs/licences/terminus.txt`). */
const packed =
  "nVk9b9tGGD5SB/ssGCEdGIWGwKRVuchaIIPRITqztK1MdofOMYL8ixjRSRUQjx67xUPdIb9CLTT0Z2joDxA6uYVQ9z5IkXf33pEucTAI8vH7fc/7HoVQ2wsjWl/lk+raC2KxmuQo2Pi3WLvRIBQHq8EszzEdBCvMcpzng8lKKa2uDhnNbr9FaSjMYCToPc8Gh0yDHITxIV9BuhvQfr5PZ4RO9w+o7VTDFaCUwwjXUiz+L2mgY/jDUDyMyyUMI7askOyhO7y9xuhuLyQOhdIqgaGm1x48YvDL7TV6WpaR6Rkr3JFxRjH3U0ckIaE8W4v9LM9Hp/iK32ckMSXP90NqVNGQQXKEnlhET8Z9PLcwhbsrxMSNrQtRnvABprM4w0Lg+doO5HhRGDFGRN3ZcpJpicHSMMiv8UIZXAQGrKjCrxynk1U6g+VsMDTDyVyJIcOGHDnLw8CYtVGEVkQ5FkHkdUtgSWXxGFlQl/q3QsYmZaBfhUYK1lgy5Vv9dT6YjuTK33/HhSZLR3xyLGKu7o2cFmkiVb74PWhPVYVQTqt/xy45m/qh26uNNCNKIIY67bl21Vhlxvm6utcFJcjcXHwZcjrLGocxIvkwPjB1kROc5phdbqFLQb7pCY8GBejGWIbv9Juty/vum8G7s0FINysF/Lo6xaM8zzg/LyC/QisXnnx9aopzbeXZy0Qv+7ocl+9SjmoATv4Zz8EIOXLq9qsgjSlJJ6JLdtFd15ZTC+/Z4N2bo+7lr1t2nLkQKYF2ebcNiWAh6sLcuWweK16qkbOd96heYeWKzCYoO2XZSUPRLolBUVHVSasVaRQnGiil6P9dymzJXE+4hrJZJL9viBrYFzp7mLxhVJFYQP/ClZYc1qVVNacF/h8hTvQYduaqyfrqsJCj6dpN9O4D+WXWj5L8wss/shZQx6gOWd7PNj0llCsjh2E66LBBmB7yctV1vWjBdeWO5tRSuyiI8fkFsIedL0AO70EQC5k5BUDnC8G9Lh4r6nAmW0bnQSBybMxR5XClxacD1Y/OP3CNKZcFBUH8U5ezCfOQwRguRFGQzT+QPWYdVizkng8DVs5gASt9TwPmO8uA+6In53m5euUN7Tlo4Vg4feymjaudgKR5RdTjZZuZRDpfPzc15UvGo4ETBG028ZjS5cco5vRjngk5Sz/GwYea78pmv1/KZj9G2dxGjp/HlD1+jNLlwmjWOmZaFT0/RmW8zSyqrg/zDKfZ9cuPMzH9ZR90zPBPKp/TWbQubgj9tAR89/Oh7Z2N0XLhwChd/ppXcvwYaO9U3AJYa9kDSPD2gqS/Wx2Hz8hnZO6LdCo5ZXtZ9jsMnHPfa2fqOagLa6Rqv+8wdaI22wF/eqzzhn+fKoy/5jX+ccRHYfz56k1HX7v7snrbcHYIHpQvPLDpyRp1wG8gq3gqARmO2cqBqZ+my9nXkXd+jH3Lx+/77tuj/g9H3fTkwflBxtnaWS/kI9GMsFvZ4I4HeS51Xjsxk15/NiLsQYxSsM0Ns1+Y5mQS9zHtBzFheZgCGP50D91wCKY3e/wfyudf7lqs+x8b1+M/XxqXo2t7VzS3H9pVavOqzXI2xmYw13cJVRsXojbCS/73l7/qtbGDbuvrb37SiW6Nh22WofGxhRypa+Up+yTk26v0LxslegnVz5W481CSjOOCcmF/RWj88oyjx+ZzWvTYRpf90JbTxh6XHMVULl5Vb/31Y6ZsxTd5g/uRwHxuyPsKdk2rH4FpkLMD6YLkmLoge5xyOOskJVHzjcMHaUPaV4i9Qqm/71Td5GJhn83VfvfPUWoG8GMUJ7Sbx0T34c//5W+jpTilnJDI6KTec27BUV5MMds0yDE5s83nE1vgY4sLKDMHRt9KZv8quNfrVxvtwMTiqJ/XOJYDcbwppKtTcuGZii05wMTr0GUzQx0DvPXOohpmsf8x15gO/maFLQyv5Bn8FpjoLHuASd4RnzYzNjRDVvP85q3ve2bnobHElZynXQ1izd/1xvNWUgVM/RATzPso3UVp/+QPYR77+fl0NLJmv+Gi/BDz/aIWI518Jjzgy72AxBMSs5tt3qQmJHKNvlJ7m59K654qm6JCxcr3i/ATw+yyRPzI6P0eqOzh4XL5u8HErPiNLGENGR/+VFvsaY78Bw==";

const bits = inflateRawSync(Buffer.from(packed, "base64"));
const bitsOfLetter = letterWidth * letterHeight;

/** Whether a letter of PC858 is black at a dot. */
export function isInk(byte: number, x: number, y: number): boolean {
  const at = (byte - 0x20) * bitsOfLetter + y * letterWidth + x;
  return (((bits[at >> 3] ?? 0) >> (7 - (at & 7))) & 1) === 1;
}
