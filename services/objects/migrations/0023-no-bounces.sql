-- Only what the mail server refuses counts (ADR 0078).
delete from undelivered where kind = 'bounced';
