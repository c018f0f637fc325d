import type { Benchmark } from '../bench-context.ts';
export const liveStart: Benchmark = async () => [];
