using System.Globalization;
using Tarn.Lab.Workloads.Watched;

namespace Tarn.Lab.Experiments.Watched;

/// <summary>
/// The other process: works on documents, command by command. Each command is the number of documents, and its answer is what the process
/// used so far, in the order of <see cref="SampledUse"/>.
/// </summary>
internal sealed class DocumentsJob : IChildJob
{
    public const string JobName = "documents";

    public string Name => JobName;

    /// <param name="arguments">The megabytes of documents that it keeps.</param>
    public IReadOnlyDictionary<string, double> Run(IReadOnlyList<string> arguments)
    {
        Documents documents = new(int.Parse(arguments[0], CultureInfo.InvariantCulture));
        Console.WriteLine(Environment.ProcessId);
        while (Console.In.ReadLine() is { } line)
        {
            _ = documents.Work(int.Parse(line, CultureInfo.InvariantCulture));
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"{Environment.CpuUsage.TotalTime.TotalNanoseconds:0} {GC.GetTotalPauseDuration().TotalNanoseconds:0} "
                + $"{GC.GetTotalAllocatedBytes():0}"));
        }

        return new Dictionary<string, double>();
    }
}
