using Tarn.SharedMemory;

namespace Tarn.TestChild;

/// <summary>
/// A listener whose process has no file left when its second client comes, and has some again when a line on standard input says so.
/// </summary>
internal static class ListenerWithoutFiles
{
    internal static void Run(string[] arguments) => RunAsync(arguments[0]).GetAwaiter().GetResult();

    private static async Task RunAsync(string name)
    {
        using SharedPipeListener listener = SharedPipeListener.Create(name);
        listener.Refused += static (_, reason) => Console.WriteLine($"refused: {reason.Message}");
        Console.WriteLine("listens");
        using (await listener.AcceptAsync())
        {
        }

        // The runtime itself opens files for its first threads, and ends without: a server has those long since.
        await Parallel.ForEachAsync(Enumerable.Range(0, 200), static async (_, cancellation) =>
        {
            await Task.Delay(5, cancellation);
            Thread.Sleep(5);
        });
        TextReader input = Console.In;
        Task<SharedPipe> accepting = listener.AcceptAsync().AsTask();
        List<FileStream> files = [];
        try
        {
            while (true)
            {
                files.Add(new FileStream("/dev/null", FileMode.Open, FileAccess.Read));
            }
        }
        catch (IOException)
        {
            Console.WriteLine("full");
        }

        input.ReadLine();
        files.ForEach(static file => file.Dispose());
        Console.WriteLine("free");
        using SharedPipe second = await accepting;
        Console.WriteLine("accepted");
    }
}
