// Runs a program on a system that lacks calls, as the filter of a container does: deny-calls ERROR NUMBER... -- PROGRAM ARGUMENTS
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int count, char **words) {
  struct sock_filter code[64];
  unsigned short length = 0;
  int error = count > 1 ? atoi(words[1]) : 0, next = 2;
  code[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (; next < count && length < 60 && strcmp(words[next], "--"); next++) {
    code[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)atoi(words[next]), 0, 1);
    code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error);
  }
  code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog program = {length, code};
  if (next + 1 >= count || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
    perror("deny-calls");
    return 125;
  }
  execvp(words[next + 1], words + next + 1);
  perror(words[next + 1]);
  return 127;
}
