/** First of all zod is told to do without code made of strings, which the page's policy forbids; then the rest is loaded. */
import { z } from 'zod';

z.config({ jitless: true });
const { start } = await import('./app/start.tsx');
start();
