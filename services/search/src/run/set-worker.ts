import { parseObject, setContents } from '@cadastre/rpsl';
import { serveTasks } from '@cadastre/service/worker';

// The thread that reads large sets for `createSetContents`.
const tasks = {
  contentsOf(text: string) {
    const parsed = parseObject(text);
    return parsed.ok ? setContents(parsed.object) : undefined;
  },
};

export type SetTasks = typeof tasks;

serveTasks(tasks, { isLowPriority: true });
