namespace Tarn.Tests.Diagnostics;

public class LaterReportTests
{
    [Fact]
    public void A_report_that_finds_no_memory_ends_neither_its_thread_nor_those_who_wait()
    {
        int run = 0;
        for (int report = 0; report < 8; report++)
        {
            BufferDiagnostics.RunLater(
                _ =>
                {
                    Interlocked.Increment(ref run);
#pragma warning disable CA2201 // what the runtime would throw
                    throw new OutOfMemoryException();
#pragma warning restore CA2201
                },
                report);
        }

        Assert.True(BufferDiagnostics.WaitForHandlers());
        Assert.Equal(8, run);
    }
}
