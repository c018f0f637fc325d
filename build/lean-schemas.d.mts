import type { Plugin } from 'vite';

export const leanSchemas: Plugin;
