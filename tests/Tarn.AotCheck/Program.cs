using Tarn.AotCheck;

// Runs the contracts where no test runner can: in a program that is compiled ahead of time, or in an emulator.
// With "--part 1/2" it runs every second one, so that two processes run all.
(int part, int parts) = args is ["--part", [char first, '/', char last]] ? (first - '1', last - '0') : (0, 1);
ContractRun run = new();
foreach (Type tests in ContractRun.FindTests().Where((_, index) => index % parts == part))
{
    run.RunAll(tests);
}

string how = ContractRun.IsNative ? "compiled ahead of time" : "compiled just in time";
Console.WriteLine($"{run.Contracts} contracts, {how}: {run.Passed} passed, {run.Failed} failed");
return run is { Failed: 0, Passed: > 0 } ? 0 : 1;
