namespace Tarn.TestChild;

/// <summary>Asks for the shared heap in what it takes for a process of 32 bits, twice, and tells what is thrown.</summary>
internal static class SharedHeapIn32Bits
{
    internal static void Run(string[] arguments)
    {
        SupportedProcess.Pretends32Bits = true;
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
