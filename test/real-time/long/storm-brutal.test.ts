import { storm } from '../support/storm.ts';

storm('brutal');
