namespace Tarn.TestChild;

/// <summary>Finds incidents and ends at once, while their handler is still at work.</summary>
internal static class IncidentBeforeExit
{
    internal static void Run(string[] arguments)
    {
        BufferDiagnostics.IncidentFound += static (_, incident) =>
        {
            Thread.Sleep(1);
            Console.WriteLine(incident.Kind);
        };
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.Returns });
        for (int i = 0; i < 20; i++)
        {
            try
            {
                pool.Return(new byte[100]);
            }
            catch (InvalidOperationException)
            {
            }
        }
    }
}
