import { Refused } from './ask.ts';

/** A missing id cannot be told apart from somebody else's. */
export function notFoundFault(id: string): Refused {
  return new Refused({
    ok: false,
    status: 404,
    code: 'RESOURCE_NOT_FOUND',
    message: `Nothing that you can see has the id ${id}. If it is a preview_id, nothing was ordered under it`,
    details: [],
  });
}
