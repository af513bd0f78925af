namespace Tarn.TestChild;

/// <summary>
/// Returns a buffer twice in one place, again and again, to a pool whose checks the environment names. Arguments: how often, and
/// whether anyone listens, and then counts.
/// </summary>
internal static class RepeatedMisuse
{
    internal static void Run(string[] arguments)
    {
        int heard = 0;
        if (arguments is [_, "True"])
        {
            BufferDiagnostics.IncidentFound += _ => Interlocked.Increment(ref heard);
        }

        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = "repeated", Checks = BufferChecks.FromEnvironment });
        int misuses = int.Parse(arguments[0]);
        for (int i = 0; i < misuses && BufferChecksEnvironment.AsksForChecks; i++)
        {
            byte[] buffer = pool.Rent(100);
            pool.Return(buffer);
            try
            {
                pool.Return(buffer);
            }
            catch (InvalidOperationException)
            {
            }
        }

        if (arguments.Length > 1)
        {
            BufferDiagnostics.Flush();
            Console.WriteLine($"heard={heard}");
            BufferIncidentReport report = BufferDiagnostics.GetIncidents();
            Console.WriteLine($"counted={report.Count}");
            Console.WriteLine(
                string.Join(' ', report.Groups.Select(static group => $"{group.Count}: {group.Place}")).ReplaceLineEndings(" "));
        }
    }
}
