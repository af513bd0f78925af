namespace Tarn;

/// <summary>Decides when a finalizer may conclude that its object was forgotten.</summary>
internal static class Finalization
{
    /// <summary>
    /// Postpones the first finalization, which proves little: an object that holds this one, or what this one stands for, may wait for its
    /// own finalizer, which may still use and return it. The next collection finalizes only objects that were not used again.
    /// </summary>
    /// <param name="finalized">The object that is being finalized.</param>
    /// <param name="wasPutOff">The object's record that it was finalized before.</param>
    /// <returns>Whether the finalization was postponed, which happens once for each object. The finalizer must then return.</returns>
    internal static bool TryPutOff(object finalized, ref bool wasPutOff)
    {
        if (wasPutOff)
        {
            return false;
        }

        wasPutOff = true;
        GC.ReRegisterForFinalize(finalized);
        return true;
    }
}
