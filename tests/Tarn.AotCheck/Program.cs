using Tarn.AotCheck;

// Runs the contracts where no test runner can: in a program that is compiled ahead of time, or in an emulator.
ContractRun run = new();
foreach (Type tests in ContractRun.FindTests())
{
    run.RunAll(tests);
}

string how = ContractRun.IsNative ? "compiled ahead of time" : "compiled just in time";
Console.WriteLine($"{run.Contracts} contracts, {how}: {run.Passed} passed, {run.Failed} failed");
return run is { Failed: 0, Passed: > 0 } ? 0 : 1;
