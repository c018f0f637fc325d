/** The page's script. */
import { start } from './app/start.tsx';

start();
