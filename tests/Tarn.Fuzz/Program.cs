using Tarn.Fuzz;
using Tarn.Fuzz.Targets;

// Reads bytes that others wrote. Whatever they are, the result is a documented exception or a valid object.
Func<IFuzzTarget>[] all =
[
    static () => new RegionTarget(), static () => new RingTarget(), static () => new ChecksTarget(), static () => new OptionsTarget(),
    static () => new TraceFileTarget(), static () => new TraceBodyTarget(), static () => new TraceDetailsTarget(),
];
const string Findings = "artifacts/fuzz";
if (Instrumented.IsThis)
{
    Coverage.Begin();
}

FuzzOptions options;
List<IFuzzTarget> targets = [.. all.Select(static make => make())];
try
{
    options = FuzzOptions.Parse(args);
    if (options.Targets.Except(targets.Select(static target => target.Name)).FirstOrDefault() is { } unknown)
    {
        throw new ArgumentException($"There is no target \"{unknown}\".");
    }
}
catch (ArgumentException exception)
{
    Console.Error.WriteLine(exception.Message);
    Console.Error.WriteLine(FuzzOptions.Usage, string.Join(", ", targets.Select(static target => target.Name)));
    targets.ForEach(static target => target.Dispose());
    return 2;
}

if (!Instrumented.IsThis)
{
    targets.ForEach(static target => target.Dispose());
    using Instrumented instrumented = new();
    return instrumented.Run(args);
}

int found = 0;
using InputWatch watch = new(Findings);
Console.WriteLine($"seed {options.Seed}; if this process dies, {watch.Path} has the input it died of");
foreach (IFuzzTarget target in targets)
{
    using (target)
    {
        if (options.Targets.Count > 0 && !options.Targets.Contains(target.Name))
        {
            continue;
        }

        Fuzzing fuzzing = new(target, watch);
        Finding? finding = options.Repeat is { } file ? fuzzing.RunOnce(File.ReadAllBytes(file), out _) : fuzzing.Run(options);
        finding?.Report(Findings);
        found += finding is null ? 0 : 1;
        Console.WriteLine(
            $"{target.Name}: {fuzzing.Runs:N0} inputs, {fuzzing.Kept} kept, {fuzzing.Branches:N0} branches, "
                + $"{(finding is null ? "nothing found" : "one finding")}");
    }
}

return found == 0 ? 0 : 1;
