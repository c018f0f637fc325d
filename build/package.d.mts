export function updateArguments(feed: string | null): string[];
