/**
 * Whether text is more than a search for one instrument: a list of legs, a side, a sign, a weight, a pair, JSON. Apart from
 * what reads it, which is only needed then.
 */
const MORE = /[,;/\n\t[{]|^\s*[+\-−–]|\S\s+\S/;

export const isBasketText = (text: string): boolean => MORE.test(text.trim());
