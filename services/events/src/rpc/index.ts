import { MailServiceService } from '@cadastre/proto/events';
import { type AllowedCallers, type Implementation, implement } from '@cadastre/service';
import { sendTestMail, type TestMailOptions } from './send-test-mail.js';

/** All gRPC services of this process. */
export function implementations(options: TestMailOptions): Implementation[] {
  return [implement(MailServiceService, { sendTestMail: sendTestMail(options) })];
}

/** Which of our services may call which method: only operators may. */
export const allowedCallers: AllowedCallers = {};
