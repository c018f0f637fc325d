/** Every tool, in the order in which they are listed. */
import type { Tool } from '../tool.ts';
import { findMarkets } from './find-markets.ts';
import { whoami } from './whoami.ts';

export function allTools(): readonly Tool[] {
  return [whoami, findMarkets];
}
