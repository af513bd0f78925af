extern alias Buffers;

using BuffersProcess = Buffers::Tarn.SupportedProcess;

namespace Tarn.TestChild;

/// <summary>Requests the shared heap twice in a simulated 32-bit process, and reports the exceptions.</summary>
internal static class SharedHeapIn32Bits
{
    internal static void Run(string[] arguments)
    {
        BuffersProcess.Pretends32Bits = true;
        for (int i = 0; i < 2; i++)
        {
            try
            {
                Console.WriteLine(NativeHeap.Shared.Name);
            }
            catch (TypeInitializationException e)
            {
                Console.WriteLine($"{e.InnerException?.GetType().Name}: {e.InnerException?.Message}");
            }
        }
    }
}
