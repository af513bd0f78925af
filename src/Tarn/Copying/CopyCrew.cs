namespace Tarn;

/// <summary>The threads that help with large copies. They are parked while there is no large copy.</summary>
/// <remarks>
/// A copy is divided into slices, and each awake thread takes the next one. The caller also takes slices and does not wait for a thread
/// that has not woken: the call ends when all slices are copied, and a late thread finds none left. So a helper that the system does not
/// wake costs nothing. The caller waits only for a helper that the system stops in the middle of a slice.
/// </remarks>
internal static unsafe class CopyCrew
{
    private static readonly Lock s_lock = new();
    private static readonly SemaphoreSlim s_work = new(0);
    private static CopyJob? s_job;
    private static int s_helpers;

    /// <summary>
    /// Copies <paramref name="size"/> bytes, a part of a copy of <paramref name="whole"/> bytes, with at most <paramref name="threads"/>
    /// threads, including the caller. Returns false and does nothing when the crew is busy.
    /// </summary>
    internal static bool TryCopy(byte* source, byte* destination, nuint size, nuint whole, int threads)
    {
        if (!s_lock.TryEnter())
        {
            return false;
        }

        try
        {
            HireUpTo(threads - 1);
            CopyJob job = new(source, destination, size, whole, threads - 1);
            Volatile.Write(ref s_job, job);
            Uninterrupted.Call(static count => s_work.Release(count), threads - 1);
            job.TakePart();
            job.WaitUntilDone();
            return true;
        }
        finally
        {
            Volatile.Write(ref s_job, null);
            s_lock.Exit();
        }
    }

    private static void HireUpTo(int helpers)
    {
        for (; s_helpers < helpers; s_helpers++)
        {
            try
            {
                new Thread(Help) { IsBackground = true, Name = "Tarn copy" }.Start();
            }
            catch (OutOfMemoryException)
            {
                // The process may start no more threads: the existing ones copy, or the caller alone.
                return;
            }
        }
    }

    private static void Help()
    {
        while (true)
        {
            try
            {
                s_work.Wait();
                Volatile.Read(ref s_job)?.Help();
            }
            catch (OutOfMemoryException)
            {
                // Even waiting may allocate, and an exception here would end the process. The caller copies what this thread does not.
                Thread.Sleep(1);
            }
        }
    }
}
