/** A file whose tests are never made. */
for (const name of [] as string[]) it(name, () => undefined);
