/** The letters and lines of PC858, from byte 0x80 on. */
export const upper =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈ€ÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0";

/** The letter of a byte on paper. */
export const letterOf = (byte: number): string =>
  byte < 0x80 ? String.fromCharCode(byte) : upper.charAt(byte - 0x80);
