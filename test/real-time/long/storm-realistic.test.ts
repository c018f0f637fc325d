import { storm } from '../support/storm.ts';

storm('realistic');
