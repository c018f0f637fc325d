/** Authority: the caller who placed an object that trades or waits to trade. */
import { z } from 'zod';
import { AUTHORITY_KINDS } from '../domain/enumerations.ts';
import { DOCS } from './common.ts';

export const authority = z
  .strictObject({
    kind: z.enum(AUTHORITY_KINDS),
    name: z.string().register(DOCS, {
      description:
        'What the user knows it by: `you` for what was done signed in, the label of the API key, the name of the agent. To an agent it says no more than `you`, `another agent` or `the user`, and `kind` is `session` for all that is of the user.',
    }),
  })
  .register(DOCS, {
    id: 'Authority',
    description:
      'Who placed it. What follows from something was placed by who placed that: executions of a trigger, a rung, a slice or a bracket, the opening half of a reversal, an unwinding. A user who changes or resumes what waits takes it over; an agent never does. What an earlier version left without one was placed by the user.',
  });
