/**
 * Matches text that is more than a search for one instrument: a list of legs, a side, a sign, a weight, a pair, JSON.
 * Separate from the parser, which is loaded only when such text is entered.
 */
const MORE = /[,;/\n\t[{]|^\s*[+\-−–]|\S\s+\S/;

export const isBasketText = (text: string): boolean => MORE.test(text.trim());
