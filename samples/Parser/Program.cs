using System.Diagnostics;
using System.Globalization;
using Samples;
using Tarn.Native;

switch (args)
{
    case []:
        Measure(1_000_000);
        return 0;
    case ["--formulas", string count] when int.TryParse(count, CultureInfo.InvariantCulture, out int formulas) && formulas > 0:
        Measure(formulas);
        return 0;
    case ["--formula", string text, "--x", string value] when double.TryParse(value, CultureInfo.InvariantCulture, out double x):
        return Evaluate(text, x);
    default:
        Console.Error.WriteLine($"Unknown arguments: {string.Join(' ', args)}.");
        Console.Error.WriteLine("Usage: [--formulas <number from 1>] [--formula <text> --x <value>]");
        return 2;
}

static unsafe int Evaluate(string text, double x)
{
    using NativeScope scope = NativeHeap.Shared.CreateScope();
    try
    {
        Console.WriteLine(Node.Evaluate(FormulaParser.Parse(text, scope), x).ToString(CultureInfo.InvariantCulture));
        return 0;
    }
    catch (FormatException wrong)
    {
        // The nodes that were parsed before the fault go with the scope.
        Console.Error.WriteLine(wrong.Message);
        return 1;
    }
}

static void Measure(int formulas)
{
    using NativeScope scope = NativeHeap.Shared.CreateScope();

    // The first formulas make the heap and the scope's block. The runtime compiles the loop while it runs, and may allocate for that.
    EvaluateMany(20_000, scope);
    long allocated = GC.GetAllocatedBytesForCurrentThread();
    long start = Stopwatch.GetTimestamp();
    (double sum, long most) = EvaluateMany(formulas, scope);
    TimeSpan time = Stopwatch.GetElapsedTime(start);
    allocated = GC.GetAllocatedBytesForCurrentThread() - allocated;
    Console.WriteLine(string.Create(
        CultureInfo.InvariantCulture,
        $"{formulas:N0} formulas, {formulas / time.TotalSeconds:N0} a second. The largest took {most} bytes of nodes."));
    Console.WriteLine(string.Create(
        CultureInfo.InvariantCulture, $"{(double)allocated / formulas:F2} managed bytes allocated a formula. The sum is {sum:G9}."));
}

static unsafe (double Sum, long Most) EvaluateMany(int formulas, NativeScope scope)
{
    ReadOnlySpan<string> texts =
        ["x", "1 + x * 2", "(x + 1) * (x - 1) / 3.25", "-(x * (2 + x * (3 + x * (4 + x * 5)))) - 1 / (1 + x * x)"];
    double sum = 0;
    long most = 0;
    for (int i = 0; i < formulas; i++)
    {
        sum += Node.Evaluate(FormulaParser.Parse(texts[i % texts.Length], scope), i % 10);
        most = Math.Max(most, scope.AllocatedBytes);

        // Frees all nodes at once. The scope keeps its block for the next formula.
        scope.Reset();
    }

    return (sum, most);
}
